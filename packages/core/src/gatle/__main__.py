"""`python -m gatle`: the same as the command `gatle`, which the distribution gatle-cli brings."""

from __future__ import annotations

import sys
from importlib.metadata import entry_points


def main() -> int:
    """Run the installed command, or say how to get it."""
    scripts = entry_points(group="console_scripts", name="gatle")
    if not scripts:
        sys.stderr.write(
            "gatle: error: the command is not installed. Fix: pip install gatle-cli.\n"
        )
        return 2
    return int(next(iter(scripts)).load()() or 0)


if __name__ == "__main__":
    sys.exit(main())
