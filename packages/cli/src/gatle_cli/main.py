"""The entry point of the command `gatle`."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from gatle.environment import runs_root
from gatle.errors import GatleError
from gatle.plugin import CommandContext
from gatle.plugins import PluginManager, discover
from gatle_cli.early import Early, read_early


def main(arguments: Sequence[str] | None = None) -> int:
    """Run `gatle` with arguments and return its exit code."""
    arguments = sys.argv[1:] if arguments is None else arguments
    early = read_early(arguments)
    from gatle_cli.errors import report

    try:
        manager = make_manager(early)
        return run(manager, arguments, early)
    except (GatleError, KeyboardInterrupt) as error:
        return report(error, debug=early.debug)


def make_manager(early: Early) -> PluginManager:
    """Return a manager with the plugins that the command line and the environment allow.

    Raises:
        GatleError: If an essential plugin is disabled, or a module that was asked for fails.
    """
    manager = discover(disabled=early.disabled)
    if early.modules:
        from gatle.config.user_code import enter

        enter(Path.cwd())
    for module in early.modules:
        manager.load_module(module, by="-p")
    return manager


def run(manager: PluginManager, arguments: Sequence[str], early: Early) -> int:
    """Run the command over a manager, and name every plugin that failed."""
    from gatle_cli.errors import report, warn
    from gatle_cli.group import make_group

    told: set[str] = set()

    def tell() -> None:
        for text in [*manager.unknown_disabled(), *map(str, manager.failures)]:
            if text not in told:
                told.add(text)
                warn(text)

    try:
        group = make_group(manager, CommandContext(manager=manager, runs=runs_root()))
        tell()
        code = group.main(args=list(arguments), prog_name="gatle", standalone_mode=False)
    except BaseException as error:  # noqa: BLE001  everything becomes an exit code
        tell()
        return report(error, debug=early.debug)
    tell()
    return code if isinstance(code, int) else 0


if __name__ == "__main__":
    sys.exit(main())
