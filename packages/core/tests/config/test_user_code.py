from __future__ import annotations

import importlib
import sys

import pytest

from gatle.config.user_code import attribute, enter, import_from
from gatle.errors import ConfigError


@pytest.fixture
def installed(tmp_path, write, imports):
    """A place for installed packages, on `sys.path`."""
    site = write(
        tmp_path / "site",
        {
            "models/__init__.py": "WHERE = 'installed'\n",
            "models/mlp.py": "WHERE = 'installed'\n",
            "wandb/__init__.py": "WHERE = 'installed'\n",
            "wandb/files.py": "WHERE = 'installed'\n",
        },
    )
    sys.path.insert(0, str(site))
    importlib.invalidate_caches()
    return site


@pytest.fixture
def mine(tmp_path, write):
    """A folder of the user's, whose folders are no regular packages."""
    return write(
        tmp_path / "mine",
        {
            "models/mlp.py": "import helper\nWHERE = 'mine'\nHELPED_BY = helper.WHERE\n",
            "helper.py": "WHERE = 'mine'\n",
            "wandb/run-20250101/files/config.yaml": "",
        },
    )


def test_the_users_folder_wins_over_an_installed_package(installed, mine):
    assert import_from(mine, "models.mlp").WHERE == "mine"


def test_the_users_folder_wins_even_when_the_package_is_loaded_already(installed, mine):
    before = importlib.import_module("models.mlp")
    assert before.WHERE == "installed"
    assert import_from(mine, "models.mlp").WHERE == "mine"


def test_an_environment_inside_the_users_folder_is_not_the_users_code(mine, write, imports):
    site = write(mine / ".venv" / "site-packages", {"models/__init__.py": "", "models/mlp.py": ""})
    sys.path.insert(0, str(site))
    importlib.import_module("models.mlp")
    assert import_from(mine, "models.mlp").WHERE == "mine"


def test_a_folder_of_logs_hides_no_installed_package(installed, mine):
    enter(mine)
    assert importlib.import_module("wandb").WHERE == "installed"
    assert import_from(mine, "wandb.files").WHERE == "installed"


def test_two_folders_with_the_same_module_names_each_get_their_own(mine, tmp_path, write, imports):
    other = write(
        tmp_path / "mine" / "other",
        {
            "models/mlp.py": "import helper\nWHERE = 'other'\nHELPED_BY = helper.WHERE\n",
            "helper.py": "WHERE = 'other'\n",
        },
    )
    for folder in (mine, other, mine):
        module = import_from(folder, "models.mlp")
        assert (folder.name, folder.name) == (module.WHERE, module.HELPED_BY)


def test_a_module_is_run_once_per_folder(mine, imports):
    assert import_from(mine, "models.mlp") is import_from(mine, "models.mlp")


def test_the_standard_library_is_never_hidden(mine, write, imports):
    write(mine, {"colorsys.py": "WHERE = 'mine'\n", "json.py": "WHERE = 'mine'\n"})
    sys.modules.pop("colorsys", None)
    assert not hasattr(import_from(mine, "colorsys"), "WHERE")
    assert not hasattr(import_from(mine, "json"), "WHERE")


def test_attributes_may_be_nested(mine, write, imports):
    write(mine, {"nested.py": "class Outer:\n    class Inner:\n        pass\n\n    size = 1\n"})
    module = import_from(mine, "nested")
    assert attribute(module, "Outer.Inner").__name__ == "Inner"
    with pytest.raises(ConfigError) as caught:
        attribute(module, "Outer.Iner")
    assert str(caught.value) == (
        "'nested.Outer' has no 'Iner'; did you mean 'Inner'? Fix: name one of Inner."
    )


def test_no_frame_of_gatle_is_named_as_the_place(mine, write, imports):
    write(mine, {"calls_gatle.py": "import gatle\n\ngatle.Splits(nothing=1)\n"})
    with pytest.raises(ConfigError) as caught:
        import_from(mine, "calls_gatle")
    assert caught.value.where == f"At {mine}/calls_gatle.py:3"


def test_the_users_line_is_named_rather_than_a_line_of_a_library(mine, write, imports):
    write(mine, {"calls_torch.py": "from torch import nn\n\nnn.Conv2d(3, 4, 3, groups=2)\n"})
    with pytest.raises(ConfigError) as caught:
        import_from(mine, "calls_torch")
    assert caught.value.where == f"At {mine}/calls_torch.py:3"
