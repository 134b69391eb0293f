"""Configuration: reading, checking and writing it. Nothing here imports torch."""

from __future__ import annotations

from gatle.config.components import Component
from gatle.config.load import Tree, load_file, load_object, override, parse_override
from gatle.config.problems import ConfigProblems, Origin, Problem
from gatle.config.resolve import Resolved, resolve
from gatle.config.schema import Config

__all__ = [
    "Component",
    "Config",
    "ConfigProblems",
    "Origin",
    "Problem",
    "Resolved",
    "Tree",
    "load_file",
    "load_object",
    "override",
    "parse_override",
    "resolve",
]
