"""Calling a component's target, so that whatever goes wrong names the component and the line."""

from __future__ import annotations

from typing import Any

from gatle.config import Component
from gatle.config.user_code import reason, user_line
from gatle.errors import ConfigError, GatleError


def build(component: Component, *arguments: Any, **offered: Any) -> Any:
    """Call a component's target with its parameters.

    Raises:
        ConfigError: If it raises; the message names the line of the code that did.
    """
    try:
        return component.target(*arguments, **offered, **component.params)
    except GatleError:
        raise
    except Exception as error:
        what = f"building {component.path} {component.name!r} failed: {reason(error)}"
        place = user_line(error)
        raise ConfigError(what, where=place and f"At {place}") from error


def expect(component: Component, value: Any, kind: type) -> None:
    """Refuse what a component returned if it is of another type.

    Raises:
        ConfigError: Naming both types.
    """
    if not isinstance(value, kind):
        what = (
            f"{component.path} {component.name!r} returned a {type(value).__name__}, "
            f"expected a {kind.__module__}.{kind.__name__}"
        )
        raise ConfigError(what, fix="return one")
