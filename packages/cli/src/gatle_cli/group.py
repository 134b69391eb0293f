"""The command `gatle`: a group whose subcommands come from plugins and load when they are run."""

from __future__ import annotations

from typing import Any, NoReturn

import rich_click as click

from gatle.errors import ConfigError, PluginError
from gatle.plugin import Command, CommandContext
from gatle.plugins import PluginManager, Provided, did_you_mean
from gatle_cli.options import with_common_options

GROUPS = ("Train", "Look", "Ship", "Set up", "Plugins")

ELSEWHERE = {"plot": ("viz", "Look", "Draw the curves of runs as PNG or SVG.")}
"""Commands of packages of ours that may not be installed: extra, heading and summary."""


class LazyCommand(click.RichCommand):
    """A subcommand of which only the record is known until it is run."""

    def __init__(self, provided: Provided, manager: PluginManager, *, name: str) -> None:
        super().__init__(name=name, help=provided.record.summary, add_help_option=False)
        self._provided = provided
        self._manager = manager

    def make_context(
        self, info_name: str | None, args: list[str], parent: Any = None, **extra: Any
    ) -> Any:
        """Load the real command and let it parse its arguments."""
        return self._load().make_context(info_name, args, parent=parent, **extra)

    def _load(self) -> click.Command:
        owner = self._manager.describe(self._provided.plugin)
        try:
            command = self._provided.record.load()
        except (Exception, SystemExit) as error:
            reason = f"{type(error).__name__}: {error}"
            what = f"the command {self.name!r} could not be loaded: {reason}"
            fix = f"repair it, or disable it with -p no:{self._provided.plugin}"
            raise PluginError(what, where=f"Offered by {owner}", fix=fix) from error
        if not isinstance(command, click.Command):
            what = f"the command {self.name!r} is a {type(command).__name__}"
            raise PluginError(what, where=f"Offered by {owner}", fix="make it a click.Command")
        return with_common_options(command)


class MissingCommand(click.RichCommand):
    """A subcommand whose package is not installed, or not active; it says how to get it."""

    def __init__(self, name: str, *, summary: str, reason: str, fix: str) -> None:
        super().__init__(name=name, help=f"{summary} ({reason})", add_help_option=False)
        self._reason = reason
        self._fix = fix

    def make_context(
        self, info_name: str | None, args: list[str], parent: Any = None, **extra: Any
    ) -> NoReturn:
        """Answer whatever the arguments are.

        Raises:
            ConfigError: Always.
        """
        raise ConfigError(f"the command {info_name!r} is not here: {self._reason}", fix=self._fix)


class GatleGroup(click.RichGroup):
    """`gatle` itself."""

    def __init__(self, manager: PluginManager, **attributes: Any) -> None:
        super().__init__(**attributes)
        self._manager = manager

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the commands that plugins offer, and those that an extra would bring."""
        registry = self._manager.registry("commands")
        return sorted({*registry.names, *ELSEWHERE})

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return a command by bare or qualified name, without loading it."""
        registry = self._manager.registry("commands")
        if cmd_name in registry:
            return LazyCommand(registry.get(cmd_name), self._manager, name=cmd_name)
        return self._elsewhere(cmd_name) if cmd_name in ELSEWHERE else None

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command, or say which one is nearest.

        Raises:
            UsageError: If there is none of that name.
        """
        command = self.get_command(ctx, args[0])
        if command is None:
            names = self.list_commands(ctx)
            ctx.fail(f"there is no command {args[0]!r}{did_you_mean(args[0], names)}")
        return args[0], command, args[1:]

    def headings(self) -> dict[str, list[str]]:
        """Return the commands under each heading."""
        found: dict[str, list[str]] = {group: [] for group in GROUPS}
        registry = self._manager.registry("commands")
        for name in registry.names:
            record = registry.get(name).record
            found[record.group if isinstance(record, Command) else "Plugins"].append(name)
        for name, (_, group, _) in ELSEWHERE.items():
            if name not in registry:
                found[group].append(name)
        return {group: names for group, names in found.items() if names}

    def _elsewhere(self, name: str) -> MissingCommand:
        extra, _, summary = ELSEWHERE[name]
        info = next((p for p in self._manager.plugins if p.name == extra), None)
        if info is None:
            reason, fix = f"gatle-{extra} is not installed", f'pip install "gatle[{extra}]"'
        elif info.state == "disabled":
            reason = f"plugin {extra!r} is disabled by {info.disabled_by}"
            fix = "leave that out"
        else:
            reason, fix = f"plugin {extra!r} failed", "see gatle plugins -v"
        return MissingCommand(name, summary=summary, reason=reason, fix=fix)


def make_group(manager: PluginManager, context: CommandContext) -> GatleGroup:
    """Return the command `gatle` over the plugins of a manager."""
    group = GatleGroup(
        manager,
        name="gatle",
        help="Train PyTorch models, and see, steer and ship what was trained.",
        context_settings={"help_option_names": ["-h", "--help"], "obj": context},
        no_args_is_help=True,
        invoke_without_command=False,
    )
    group.params.append(_version_option())
    with_common_options(group)
    for heading, names in group.headings().items():
        group.add_panel(click.RichCommandPanel(heading, commands=names))
    return group


def _version_option() -> click.Option:
    def show(context: click.Context, _parameter: click.Parameter, value: bool) -> None:  # noqa: FBT001  click's own signature
        if value:
            from importlib.metadata import version

            click.echo(f"gatle {version('gatle-core')}")
            context.exit()

    return click.Option(
        ["--version"],
        is_flag=True,
        is_eager=True,
        expose_value=False,
        callback=show,
        help="Show the version.",
    )
