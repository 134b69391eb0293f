"""Everything this plugin offers keeps gatle's promises."""

from __future__ import annotations

from typing import ClassVar

from gatle.testing import (
    CommandContract,
    ConfigSectionContract,
    LossContract,
    MetricContract,
    PluginContract,
)


class TestPlugin(PluginContract):
    module = "gatle_hello.plugin"


class TestHinge(LossContract):
    name = "hinge"
    module = "gatle_hello.plugin"


class TestHingeWithWideMargin(TestHinge):
    params: ClassVar = {"margin": 5.0}


class TestMargin(MetricContract):
    name = "margin"
    module = "gatle_hello.plugin"


class TestHelloCommand(CommandContract):
    name = "hello"
    module = "gatle_hello.plugin"


class TestHelloSection(ConfigSectionContract):
    name = "hello"
    module = "gatle_hello.plugin"
    values: ClassVar = {"greeting": "Hi", "every_epochs": 2}
