"""The docs do what they say."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
README = (ROOT / "README.md").read_text()
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]


def block(marker: str) -> str:
    """Return the fenced block after an HTML comment."""
    found = re.search(rf"<!-- {marker} -->\n```\w+\n(.*?)```", README, re.DOTALL)
    assert found, marker
    return found[1]


@pytest.fixture(scope="module")
def project(tmp_path_factory) -> Path:
    """A folder with the README's own program and config."""
    folder = tmp_path_factory.mktemp("readme")
    (folder / "mine.py").write_text(block("run: mine.py"))
    (folder / "mine.toml").write_text(block("config: mine.toml"))
    return folder


def run(*arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *arguments], cwd=cwd, capture_output=True, text=True, check=False
    )


def test_the_readme_program_prints_what_the_readme_shows(project):
    done = run("mine.py", cwd=project)
    assert done.returncode == 0, done.stderr
    shown, printed = (
        re.fullmatch(r"(valid/accuracy )([\d.]+)(, kept in runs\n)", text)
        for text in (block("output"), done.stdout)
    )
    assert shown
    assert printed
    assert shown.group(1, 3) == printed.group(1, 3)
    assert abs(float(shown[2]) - float(printed[2])) <= 0.015


def test_the_readme_config_is_valid_and_trains_what_the_program_builds(project):
    done = run("-m", "gatle", "config", "mine.toml", cwd=project)
    assert done.returncode == 0, done.stderr
    assert tomllib.loads(done.stdout)["model"] == {"name": "mine:net", "params": {"hidden": 128}}


def test_the_readme_program_has_twelve_lines_of_code():
    lines = [line for line in block("run: mine.py").splitlines() if line.strip()]
    assert len(lines) <= 12


def test_the_readme_plugin_is_the_one_design_promises_ten_lines_for():
    source = block("plugin")
    assert len(source.splitlines()) <= 10
    namespace: dict = {}
    exec(compile(source, "plugin.py", "exec"), namespace)
    (record,) = namespace["gatle_losses"]()
    assert record.name == "hinge"


def test_generated_pages_are_fresh():
    done = run("scripts/docs.py", "--check", cwd=ROOT)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_internal_links_lead_somewhere(page):
    for target in re.findall(r"\]\((?!https?://)([^)#]+)", page.read_text()):
        assert (page.parent / target).exists(), target
