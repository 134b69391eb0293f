"""What gatle expects of a command."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from gatle.records import CommandContext
from gatle.testing.contracts.base import RecordContract

if TYPE_CHECKING:
    import click
    from click.testing import Result


class CommandContract(RecordContract):
    """The promises of a subcommand of `gatle`. It needs click, which gatle-cli brings."""

    kind = "commands"

    def context(self, runs: Path, *, json: bool = False) -> CommandContext:
        """Return what the command finds in `click.Context.obj`."""
        return CommandContext(manager=self.sandbox().manager, runs=runs, json=json)

    def invoke(self, *arguments: str, context: CommandContext) -> Result:
        """Run the command as `gatle NAME ARGUMENTS` does, in this process."""
        from click.testing import CliRunner

        return CliRunner().invoke(self.command(), list(arguments), obj=context)

    def command(self) -> click.Command:
        """Return the command."""
        command: click.Command = self.record.load()
        return command

    def test_is_a_click_command(self) -> None:
        """The target is a `click.Command` with the record's name.

        If this fails, decorate the function with `@click.command("name")`.
        """
        import click

        command = self.record.load()
        assert isinstance(command, click.Command), (
            f"{self.label} is a {type(command).__name__}, expected a click.Command"
        )
        assert command.name == self.name, (
            f"{self.label}: the record is called {self.name!r}, the command {command.name!r}"
        )

    def test_help_is_shown(self, tmp_path: Path) -> None:
        """`--help` exits with 0 and says what the command does.

        If this fails, give the function a docstring, and do no work while the module is imported.
        """
        result = self.invoke("--help", context=self.context(tmp_path))
        assert result.exit_code == 0, (
            f"{self.label}: --help exited with {result.exit_code}: {result.exception!r}"
        )
        assert self.command().help, f"{self.label} has no help text"

    def test_leaves_reserved_options_alone(self) -> None:
        """No option of the command or of its subcommands is spelled `-p`.

        If this fails, choose another letter: `-p no:NAME` is gatle's own, before or after the verb.
        """
        taken = [path for path, options in _options(self.command()) if "-p" in options]
        assert not taken, f"{self.label} uses -p, which is gatle's own, in {', '.join(taken)}"


def _options(command: click.Command, path: str = "") -> Iterator[tuple[str, list[str]]]:
    """Yield every command of a group with the spellings of its options."""
    import click

    path = f"{path} {command.name}".strip()
    yield path, [text for p in command.params for text in (*p.opts, *p.secondary_opts)]
    if isinstance(command, click.Group):
        for child in command.commands.values():
            yield from _options(child, path)
