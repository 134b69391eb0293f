"""A folder of the user's with components, right and wrong, and plugins to refer to."""

from __future__ import annotations

from typing import Literal

import pytest
from pydantic import BaseModel, Field

from gatle.config import load_file, override, parse_override, resolve
from gatle.plugin import ConfigSection, Model
from gatle.plugins import PluginManager

USER_CODE = {
    "models/mlp.py": """\
from torch import nn

WIDTH = 3


class Net(nn.Module):
    def __init__(self, *, num_classes, hidden, drop=0.1, act="relu"):
        super().__init__()
""",
    "models/lacks.py": "import math\n\nimport not_there_at_all\n",
    "models/syntax.py": "def broken(:\n    pass\n",
    "models/raises.py": "def f():\n    raise RuntimeError('boom')\n\n\nf()\n",
}


class Hello(BaseModel, extra="forbid", strict=True):
    size: int = Field(default=1, ge=1, le=9)
    mode: Literal["on", "off"] = "on"
    api_key: str = ""
    pair: tuple[int, int] = (0, 0)


class Needs(BaseModel, extra="forbid"):
    token: str


@pytest.fixture
def with_plugins(plugin_of):
    manager = PluginManager()
    hello = plugin_of(
        gatle_config_sections=lambda: [
            ConfigSection(name="hello", target=Hello, summary="A section."),
            ConfigSection(name="needs", target=Needs, summary="A section with a required key."),
            ConfigSection(name="gone", target="gatle:gone", summary="A section that is not there."),
        ],
        gatle_models=lambda: [
            Model(name="shared", target=dict, summary="A name of two plugins."),
            Model(name="dangling", target="gatle:dangling", summary="A target of nothing."),
        ],
    )
    other = plugin_of(
        gatle_models=lambda: [Model(name="shared", target=dict, summary="A name of two plugins.")]
    )
    manager.register(hello, name="hello", distribution="gatle-hello")
    manager.register(other, name="other", distribution="gatle-other")
    return manager


@pytest.fixture
def home(tmp_path, monkeypatch, imports, write):
    """The user's folder, as the current one, so that messages are short."""
    write(tmp_path, USER_CODE)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def resolved(home, manager):
    """A function that writes a config file, reads it and resolves it."""

    def run(text, *options, name="c.toml", manager=manager):
        (home / name).write_text(text)
        tree = override(load_file((home / name).relative_to(home)), map(parse_override, options))
        return resolve(tree, manager=manager)

    return run
