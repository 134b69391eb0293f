"""The errors a user can cause, each with the exit code the command line gives it."""

from __future__ import annotations


class GatleError(Exception):
    """An error that says what happened, where, and what to do about it.

    Args:
        what: What was got and what was expected, as a sentence without its full stop.
        where: The place: a file and line, a dotted path, a plugin, a folder.
        fix: What the user can do, as an imperative sentence without its full stop.
    """

    exit_code = 1

    def __init__(self, what: str, *, where: str | None = None, fix: str | None = None) -> None:
        super().__init__(what)
        self.what = what
        self.where = where
        self.fix = fix

    def __str__(self) -> str:
        parts = [self.what, self.where, f"Fix: {self.fix}" if self.fix else None]
        return " ".join(_sentence(part) for part in parts if part)


class RunFailedError(GatleError):
    """A run that started could not go on."""


class ConfigError(GatleError, ValueError):
    """The configuration or the command line asks for something that cannot be done."""

    exit_code = 2


class DataError(GatleError):
    """The data cannot be used for training or evaluation."""

    exit_code = 3


class CheckpointError(GatleError):
    """A checkpoint is missing, incomplete or does not fit."""

    exit_code = 3


class PluginError(GatleError):
    """A plugin is defective, and strict mode or an explicit request needs it."""

    exit_code = 3


class DivergedError(GatleError):
    """Training produced a loss that is not finite."""

    exit_code = 4


def _sentence(text: str) -> str:
    return text if text.endswith((".", "!", "?", ":", "\n")) else f"{text}."
