"""What is shipped works outside the repository, and each package works with core alone."""

from __future__ import annotations

import json
import shutil
import zipfile
from pathlib import Path

import pytest

pytestmark = pytest.mark.xdist_group("wheels")

ROOT = Path(__file__).resolve().parents[1]


def test_the_meta_distribution_holds_no_code_and_brings_core_and_command(wheels):
    with zipfile.ZipFile(wheels["gatle"]) as archive:
        names = archive.namelist()
        metadata = archive.read(next(n for n in names if n.endswith("METADATA"))).decode()
    assert all(".dist-info/" in name for name in names)
    for line in ("Requires-Dist: gatle-core==0.1.0", "Requires-Dist: gatle-cli==0.1.0"):
        assert line in metadata
    for extra in ("quant", "dist", "viz", "cli", "wandb", "tensorboard", "all"):
        assert f"Provides-Extra: {extra}" in metadata


@pytest.mark.parametrize("package", ["core", "quant", "dist", "viz", "cli"])
def test_every_wheel_holds_its_code_and_licence_and_no_tests(wheels, package):
    with zipfile.ZipFile(wheels[package]) as archive:
        names = archive.namelist()
    top = "gatle" if package == "core" else f"gatle_{package}"
    assert f"{top}/__init__.py" in names
    assert f"{top}/plugin.py" in names
    assert any(name.endswith("licenses/LICENSE") for name in names)
    assert not any("tests/" in name for name in names)
    if package == "core":
        assert {"gatle/data/digits/digits.npz", "gatle/data/digits/LICENSE.md"} <= set(names)
        assert "gatle/py.typed" in names


def test_wheels_train_and_evaluate_digits_outside_the_repository(everything, tmp_path):
    trained = everything.run("gatle", "train", "digits", "--json", cwd=tmp_path)
    assert trained.returncode == 0, trained.stderr
    result = json.loads(trained.stdout)
    assert result["status"] == "finished"
    assert result["best"]["value"] >= 0.97
    done = everything.run("gatle", "eval", result["run"], "--json", cwd=tmp_path)
    evaluated = json.loads(done.stdout)
    assert evaluated["schema"] == "gatle.eval/1"
    assert (evaluated["split"], evaluated["samples"]) == ("test", 269)
    assert evaluated["metrics"]["accuracy"] >= 0.95
    where = everything.run("python", "-c", "import gatle; print(gatle.__file__)", cwd=tmp_path)
    assert where.stdout.startswith(str(everything.path))


def test_core_alone_trains_from_python_and_says_how_to_get_the_command(
    make_environment, wheels, tmp_path
):
    core = make_environment(wheels["core"])
    code = (
        "import gatle\n"
        "config = gatle.Config(data=gatle.Data(name='digits'), model=gatle.Model(name='small-cnn',"
        " params={'width': 4}), loop=gatle.Loop(max_epochs=1))\n"
        "print(gatle.train(config).status)"
    )
    (tmp_path / "mine.py").write_text(code)
    done = core.run("python", "mine.py", cwd=tmp_path)
    assert done.stdout == "finished\n", done.stderr
    command = core.run("python", "-m", "gatle", "--help", cwd=tmp_path)
    assert command.returncode == 2
    assert command.stderr == (
        "gatle: error: the command is not installed. Fix: pip install gatle-cli.\n"
    )


def test_a_command_of_a_missing_package_is_listed_and_names_its_extra(
    make_environment, wheels, tmp_path
):
    small = make_environment(wheels["core"], wheels["cli"])
    listed = small.run("gatle", "--help", cwd=tmp_path, COLUMNS="120")
    assert "plot" in listed.stdout
    assert listed.stderr == ""
    done = small.run("gatle", "plot", "a-run", cwd=tmp_path)
    assert done.returncode == 2
    assert done.stderr == (
        "gatle: error: the command 'plot' is not here: gatle-viz is not installed. "
        'Fix: pip install "gatle[viz]".\n'
    )


@pytest.mark.parametrize("package", ["quant", "dist", "viz", "cli"])
def test_every_package_passes_its_tests_with_core_alone(
    make_environment, wheels, tmp_path, package
):
    environment = make_environment(wheels["core"], wheels[package])
    shutil.copytree(ROOT / "packages" / package / "tests", tmp_path / "tests")
    done = environment.run(
        *("python", "-m", "pytest", "tests", "-q", "-p", "no:cacheprovider"),
        *("--import-mode=importlib", "-m", "not slow and not gpu"),
        cwd=tmp_path,
        timeout_s=280,
    )
    assert done.returncode == 0, done.stdout
