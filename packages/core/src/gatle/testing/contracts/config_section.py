"""What gatle expects of a table `[plugin.NAME]` of the config."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from typing import Any, ClassVar

import pytest
from pydantic import BaseModel, ValidationError

from gatle.config import Resolved, load_object, resolve
from gatle.config.dump import to_toml
from gatle.errors import ConfigError
from gatle.testing.contracts.base import RecordContract


class ConfigSectionContract(RecordContract):
    """The promises of a config section.

    Attributes:
        values: What a user might write into the table.
    """

    kind = "config_sections"
    values: ClassVar[Mapping[str, Any]] = {}

    def test_is_a_model_of_pydantic(self) -> None:
        """The target is a class derived from `pydantic.BaseModel`.

        If this fails, write `class Section(BaseModel)`.
        """
        target = self.record.load()
        assert isinstance(target, type), f"{self.label} is {target!r}, expected a class"
        assert issubclass(target, BaseModel), (
            f"{self.label} is the class {target.__name__}, expected a subclass of BaseModel"
        )

    def test_unknown_keys_are_errors(self) -> None:
        """A key that the section does not have is refused.

        If this fails, set `model_config = ConfigDict(extra="forbid")`: a misspelt key must not be
        ignored.
        """
        key = "no_such_key_of_this_section"
        try:
            self._model().model_validate({**self.values, key: 1})
        except ValidationError as error:
            named = [part for item in error.errors() for part in item["loc"]]
        else:
            pytest.fail(f"{self.label} ignores unknown keys: set extra='forbid'")
        assert key in named, f"{self.label}: the error names {named}, not the unknown key {key!r}"

    def test_has_defaults(self) -> None:
        """The section is complete without a single key.

        If this fails, give every field a default: the section is there in every run, named or not.
        """
        try:
            self._model()()
        except ValidationError as error:
            pytest.fail(f"{self.label} has fields without a default: {error}")

    def test_cannot_be_changed(self) -> None:
        """A section that was checked cannot be assigned to.

        If this fails, set `frozen=True` in its `model_config`: the run's record says what the
        section was.
        """
        section = self._model().model_validate(self.values)
        for name, value in section:
            try:
                setattr(section, name, value)
            except ValidationError:
                continue
            pytest.fail(f"{self.label}: {name!r} can be assigned to: set frozen=True")

    def test_survives_being_stored(self) -> None:
        """The section in a config, written beside a run and read again, is the same.

        If this fails, use types that TOML has: text, numbers, booleans, lists and tables.
        """
        resolved = self._resolve(dict(self.values))
        stored = tomllib.loads(to_toml(resolved)).get("plugin", {}).get(self.name, {})
        again = self._resolve(stored).plugin_sections[self.name]
        expected = resolved.plugin_sections[self.name]
        assert _values(again) == _values(expected), (
            f"{self.label}: stored and read again it is {again!r}"
        )

    def _model(self) -> type[BaseModel]:
        model: type[BaseModel] = self.record.load()
        return model

    def _resolve(self, values: Mapping[str, Any]) -> Resolved:
        config = {
            "data": {"name": "digits"},
            "model": {"name": "small-cnn"},
            "plugin": {self.name: dict(values)},
        }
        tree = load_object(config, source="the contract")
        try:
            return resolve(tree, manager=self.sandbox().manager)
        except ConfigError as error:
            pytest.fail(f"{self.label}: a config with {dict(values)} is refused: {error}")


def _values(section: BaseModel) -> dict[str, object]:
    """Return a section's values, with tuples as the lists that a config has for them."""
    return {k: list(v) if isinstance(v, tuple) else v for k, v in vars(section).items()}
