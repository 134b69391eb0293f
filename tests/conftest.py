"""Clean environments with real wheels, outside the repository."""

from __future__ import annotations

import functools
import os
import subprocess
import sys
import sysconfig
import venv
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
OURS = ("core", "quant", "dist", "viz", "cli")

PLUGIN_PROJECT = """\
[build-system]
requires = ["hatchling"]
build-backend = "hatchling.build"
[project]
name = "{distribution}"
version = "{version}"
dependencies = ["gatle-core"]
[project.entry-points.gatle]
{name} = "{target}"
[tool.hatch.build.targets.wheel]
packages = ["{module}"]
"""


@dataclass(frozen=True)
class Environment:
    """An environment that holds the wheels it was given, and nothing of the source tree."""

    path: Path

    @property
    def python(self) -> Path:
        return self.path / "bin/python"

    def run(self, *command, cwd, timeout_s=120, **variables) -> subprocess.CompletedProcess[str]:
        """Run a program of the environment; `gatle` and `python` mean its own."""
        program = self.path / "bin" / str(command[0])
        return subprocess.run(
            [str(program if program.exists() else command[0]), *map(str, command[1:])],
            cwd=cwd,
            env=clean_variables(**variables),
            capture_output=True,
            text=True,
            timeout=timeout_s,
            check=False,
        )


def clean_variables(**variables: str) -> dict[str, str]:
    """Return the environment variables without anything that reaches into the source tree."""
    dropped = ("PYTHONPATH", "VIRTUAL_ENV", "GATLE_", "COLUMNS", "FORCE_COLOR")
    kept = {k: v for k, v in os.environ.items() if not k.startswith(dropped)}
    return kept | {"OMP_NUM_THREADS": "1"} | variables


def build_wheel(project: Path, out: Path) -> Path:
    """Build a wheel with hatchling, as any build front end would."""
    before = set(out.glob("*.whl"))
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(out)]
    done = subprocess.run(command, cwd=project, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    (made,) = set(out.glob("*.whl")) - before
    return made


@pytest.fixture(scope="session")
def outer(tmp_path_factory) -> Path:
    """Third-party packages of the outer environment, without gatle or its metadata."""
    folder = tmp_path_factory.mktemp("outer") / "site-packages"  # tools know third parties by it
    folder.mkdir()
    for entry in Path(sysconfig.get_path("purelib")).iterdir():
        ours = entry.name.startswith(("gatle", "_gatle", "__editable__"))
        if not ours and entry.suffix != ".pth":
            (folder / entry.name).symlink_to(entry)
    return folder


@pytest.fixture(scope="session")
def wheels(tmp_path_factory) -> dict[str, Path]:
    """The wheels of our distributions by folder name; `gatle` is the meta distribution."""
    out = tmp_path_factory.mktemp("wheels")
    return {name: build_wheel(ROOT / "packages" / name, out) for name in OURS} | {
        "gatle": build_wheel(ROOT, out)
    }


@pytest.fixture(scope="session")
def make_environment(tmp_path_factory, outer):
    """A function that makes an environment with the wheels it is given."""

    @functools.cache
    def make(*paths: Path) -> Environment:
        folder = tmp_path_factory.mktemp("environment")
        venv.create(folder, with_pip=False, symlinks=True)
        site = next((folder / "lib").glob("python*/site-packages"))
        (site / "outer.pth").write_text(f"{outer}\n")
        install = [sys.executable, "-m", "pip", "--python", str(folder / "bin/python"), "install"]
        flags = ["--quiet", "--no-index", "--no-deps", "--no-cache-dir"]
        done = subprocess.run(
            [*install, *flags, *map(str, paths)],
            env=clean_variables(),
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return Environment(folder)

    return make


@pytest.fixture(scope="session")
def make_plugin(tmp_path_factory):
    """A function that builds a third-party plugin as a wheel from the source of its module."""

    def make(name, source, *, version="9.0", distribution=None, target=None) -> Path:
        distribution = distribution or f"gatle-{name}"
        module = distribution.replace("-", "_")
        project = tmp_path_factory.mktemp(distribution)
        (project / module).mkdir()
        (project / module / "__init__.py").write_text(source)
        (project / "pyproject.toml").write_text(
            PLUGIN_PROJECT.format(
                distribution=distribution,
                version=version,
                name=name,
                target=target or module,
                module=module,
            )
        )
        return build_wheel(project, project)

    return make


@pytest.fixture(scope="session")
def everything(make_environment, wheels) -> Environment:
    """An environment with all five packages and the meta distribution."""
    return make_environment(*wheels.values())


@pytest.fixture(scope="session")
def example() -> Path:
    """The project of the example plugin."""
    return ROOT / "examples/plugins/gatle-hello"


@pytest.fixture(scope="session")
def hello(example, tmp_path_factory) -> Path:
    """The wheel of the example plugin."""
    return build_wheel(example, tmp_path_factory.mktemp("hello"))
