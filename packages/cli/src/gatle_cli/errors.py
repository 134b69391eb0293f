"""From an exception to a line on stderr and an exit code."""

from __future__ import annotations

import sys
import traceback

import click

from gatle.errors import GatleError
from gatle_cli.signals import Terminated

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
    if debug:
        traceback.print_exception(error)
    if isinstance(error, GatleError):
        _say(str(error))
        return error.exit_code
    if isinstance(error, click.UsageError):
        _say(_usage(error))
        return USAGE
    if isinstance(error, click.ClickException):
        _say(error.format_message())
        return error.exit_code
    if isinstance(error, Terminated):
        sys.stderr.write("gatle: stopped by SIGTERM.\n")
        return TERMINATED
    if isinstance(error, KeyboardInterrupt | click.Abort):
        sys.stderr.write("gatle: interrupted.\n")
        return INTERRUPTED
    if not debug:
        traceback.print_exception(error)
    _say(f"this is a fault of gatle or of a plugin: {type(error).__name__}: {error}")
    return FAILED


def warn(text: str) -> None:
    """Say something that does not stop the command."""
    sys.stderr.write(f"gatle: warning: {text}\n")


def _say(text: str) -> None:
    sys.stderr.write(f"gatle: error: {text}\n")


def _usage(error: click.UsageError) -> str:
    command = error.ctx.command_path if error.ctx else "gatle"
    return str(GatleError(error.format_message(), fix=f"see {command} --help"))
