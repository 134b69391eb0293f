"""The house rules that a tool can hold."""

from __future__ import annotations

import ast
import inspect
import re
import subprocess
import sys
import tomllib
from itertools import chain
from pathlib import Path

import pytest

from gatle import hookspecs, records

ROOT = Path(__file__).resolve().parents[1]
OURS = ("core", "quant", "dist", "viz", "cli")
BIN = Path(sys.executable).parent
RUFF, LINT_IMPORTS = str(BIN / "ruff"), str(BIN / "lint-imports")
SOURCES = sorted(ROOT.glob("packages/*/src/**/*.py"))


def run(*command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)


def test_no_source_file_has_more_than_400_lines():
    lengths = {path: len(path.read_text().splitlines()) for path in SOURCES}
    assert {str(p.relative_to(ROOT)): n for p, n in lengths.items() if n > 400} == {}


def test_functions_are_short():
    """Half of all functions have at most 8 lines, none has more than 60."""
    lengths = sorted(length for path in SOURCES for length in _function_lengths(path))
    assert lengths[len(lengths) // 2] <= 8
    assert lengths[-1] <= 60


def _function_lengths(path: Path) -> list[int]:
    found = []
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.FunctionDef):
            documented = ast.get_docstring(node) is not None and len(node.body) > 1
            first = node.body[1 if documented else 0]
            found.append((node.end_lineno or 0) - first.lineno + 1)
    return found


def test_every_module_postpones_annotations_and_is_ascii():
    for path in SOURCES:
        text = path.read_text(encoding="utf-8")
        assert "from __future__ import annotations" in text or len(text) < 120, path
        assert text.isascii(), path


def test_every_provider_hook_has_its_record_type_and_every_name_follows_the_grammar():
    hooks = {n: f for n, f in vars(hookspecs).items() if n.startswith("gatle_")}
    providers = {f"gatle_{kind}" for kind in hookspecs.PROVIDERS}
    for name, function in hooks.items():
        parameters = list(inspect.signature(function).parameters)
        if name in providers:
            assert parameters == []
        elif name.startswith("gatle_on_"):
            assert parameters == ["run"]
        else:
            assert len(parameters) == 1
            assert function.gatle_spec["firstresult"] is True
    assert providers <= set(hooks)


def test_every_hook_is_documented_in_the_architecture():
    text = (ROOT / "docs/architecture.md").read_text()
    for name in vars(hookspecs):
        if name.startswith("gatle_"):
            assert f"`{name}" in text, name


def test_a_record_is_frozen_and_takes_keywords_only():
    record = records.Loss(name="a-loss", target="a:b", summary="A loss.")
    with pytest.raises(AttributeError):
        record.name = "other"
    with pytest.raises((AttributeError, TypeError)):
        record.extra = 1
    with pytest.raises(TypeError):
        records.Loss("a-loss", "a:b", "A loss.")


def test_all_distributions_have_one_version_and_pin_each_other_to_it():
    projects = [ROOT / "pyproject.toml", *ROOT.glob("packages/*/pyproject.toml")]
    loaded = [tomllib.loads(path.read_text())["project"] for path in projects]
    (version,) = {project["version"] for project in loaded}
    pins = {
        match[0]
        for project in loaded
        for text in chain(project["dependencies"], *_extras(project).values())
        if (match := re.search(r"^gatle-[a-z]+(\[[a-z]+\])?(.*)$", text))
    }
    assert pins
    assert all(pin.endswith(f"=={version}") for pin in pins), pins


def _extras(project: dict) -> dict[str, list[str]]:
    return project.get("optional-dependencies", {})


def test_bump_sets_every_version_and_pin():
    sys.path.insert(0, str(ROOT / "scripts"))
    try:
        import bump
    finally:
        sys.path.pop(0)
    for path in bump.projects():
        text = bump.set_version(path.read_text(), "9.8.7")
        assert 'version = "9.8.7"' in text
        assert "0.1.0" not in re.sub(r"(?m)^(?!.*gatle).*$", "", text)


@pytest.mark.parametrize("package", OURS)
def test_every_package_is_linted_collected_and_tracked(package):
    """`dist` is skipped by the defaults of ruff, pytest, git and hatchling."""
    folder = f"packages/{package}"
    linted = run(RUFF, "check", "--show-files", folder).stdout
    assert f"{folder}/src/" in linted
    assert f"{folder}/tests/" in linted
    assert f"{folder}/src/" in run("git", "ls-files", folder).stdout
    ignored = run("git", "check-ignore", f"{folder}/src", f"{folder}/tests")
    assert ignored.stdout == ""
    configuration = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["pytest"]
    assert f"{folder}/tests" in configuration["ini_options"]["testpaths"]
    assert package not in configuration["ini_options"]["norecursedirs"]
    listed = run(sys.executable, "-m", "pytest", "--collect-only", "-q", "--no-header", folder)
    assert f"{folder}/tests/" in listed.stdout


def test_imports_keep_to_the_layers():
    done = run(LINT_IMPORTS)
    assert done.returncode == 0, done.stdout
