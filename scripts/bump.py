"""Set the one version of all distributions, and move the change fragments into CHANGELOG.md.

Usage: ./dev bump 0.2.0
"""

from __future__ import annotations

import datetime
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
KINDS = {"added": "Added", "changed": "Changed", "fixed": "Fixed", "removed": "Removed"}
_VERSION = re.compile(r"\d+\.\d+\.\d+((a|b|rc)\d+)?")


def projects() -> list[Path]:
    """Return the pyproject.toml of every distribution."""
    return [ROOT / "pyproject.toml", *sorted(ROOT.glob("packages/*/pyproject.toml"))]


def set_version(text: str, version: str) -> str:
    """Return a pyproject.toml with its own version and the pins of our distributions replaced."""
    text = re.sub(r'^version = "[^"]+"', f'version = "{version}"', text, count=1, flags=re.M)
    return re.sub(r'("gatle-[a-z]+(?:\[[a-z]+\])?)==[^"]+"', rf'\1=={version}"', text)


def collect_fragments(version: str, *, today: datetime.date) -> str:
    """Return the section of CHANGELOG.md for a version, from the fragments in `changes/`."""
    lines = [f"## {version} ({today:%Y-%m-%d})", ""]
    for kind, heading in KINDS.items():
        fragments = sorted((ROOT / "changes").glob(f"*.{kind}.md"))
        if fragments:
            lines += [f"### {heading}", ""]
            lines += [f"- {' '.join(f.read_text().split())}" for f in fragments]
            lines.append("")
    return "\n".join(lines)


def main(arguments: list[str]) -> int:
    """Bump, and say what is left to do."""
    if len(arguments) != 1 or not _VERSION.fullmatch(arguments[0]):
        sys.stderr.write("usage: ./dev bump X.Y.Z\n")
        return 2
    (version,) = arguments
    for path in projects():
        path.write_text(set_version(path.read_text(), version))
    changelog = ROOT / "CHANGELOG.md"
    head, _, rest = changelog.read_text().partition("\n## ")
    section = collect_fragments(version, today=datetime.datetime.now(datetime.UTC).date())
    changelog.write_text(f"{head.rstrip()}\n\n{section}{f'## {rest}' if rest else ''}")
    for fragment in (ROOT / "changes").glob("*.md"):
        fragment.unlink()
    sys.stdout.write(f"{version}: look at git diff, then ./dev relink, test and commit\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
