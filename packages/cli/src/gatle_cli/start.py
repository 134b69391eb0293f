"""Where the script `gatle` begins: nothing is imported before Ctrl-C is understood."""

from __future__ import annotations

import sys


def main() -> int:
    """Run `gatle`; an interrupt while it starts is one line, as later."""
    try:
        from gatle_cli.main import main as run

        return run()
    except KeyboardInterrupt:
        sys.stderr.write("gatle: interrupted.\n")
        return 130
