"""From an exception to a line on stderr and an exit code."""

from __future__ import annotations

import errno
import os
import sys
import traceback

import click

from gatle.errors import GatleError
from gatle_cli.signals import Terminated

BROKEN_PIPE = 141
INTERRUPTED = 130
TERMINATED = 143
USAGE = 2
FAILED = 1


def report(error: BaseException, *, debug: bool) -> int:
    """Say what happened and return the exit code.

    An error of the user carries no traceback without `--debug`; a fault of gatle's own does.
    """
    if isinstance(error, click.exceptions.Exit):
        return error.exit_code
    if _is_broken_pipe(error):
        sys.stdout = open(os.devnull, "w")  # noqa: SIM115  nobody reads; the exit still flushes
        return BROKEN_PIPE
    if isinstance(error, SystemExit):
        return error.code if isinstance(error.code, int) else FAILED if error.code else 0
    if debug:
        traceback.print_exception(error)
    known = _known(error)
    if known is not None:
        sys.stderr.write(f"gatle: {known[1]}\n")
        return known[0]
    if not debug:
        traceback.print_exception(error)
    what = f"this is a fault of gatle or of a plugin: {type(error).__name__}: {error}"
    sys.stderr.write(f"gatle: error: {what}\n")
    return FAILED


def warn(text: str) -> None:
    """Say something that does not stop the command."""
    sys.stderr.write(f"gatle: warning: {text}\n")


def _known(error: BaseException) -> tuple[int, str] | None:
    """Return exit code and message of an error that is no fault of gatle."""
    if isinstance(error, GatleError):
        return error.exit_code, f"error: {error}"
    if isinstance(error, click.UsageError):
        return USAGE, f"error: {_usage(error)}"
    if isinstance(error, click.ClickException):
        return error.exit_code, f"error: {error.format_message()}"
    if isinstance(error, Terminated):
        return TERMINATED, "stopped by SIGTERM."
    if isinstance(error, KeyboardInterrupt | click.Abort):
        notes = "".join(f" {note[:1].upper()}{note[1:]}." for note in _notes(error))
        return INTERRUPTED, f"interrupted.{notes}"
    if isinstance(error, OSError) and error.errno in {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}:
        return FAILED, f"error: {error.strerror}: {error.filename or 'standard output'}."
    return None


def _notes(error: BaseException) -> list[str]:
    cause = error.__context__ if isinstance(error, click.Abort) else error
    return list(getattr(cause, "__notes__", ()))


def _is_broken_pipe(error: BaseException) -> bool:
    """Whether the reader of stdout has gone; rich-click turns that into `SystemExit`."""
    cause = error.__context__ if isinstance(error, SystemExit) else error
    return isinstance(cause, OSError) and cause.errno == errno.EPIPE


def _usage(error: click.UsageError) -> str:
    command = error.ctx.command_path if error.ctx else "gatle"
    return str(GatleError(error.format_message(), fix=f"see {command} --help"))
