"""What gatle expects of a recipe."""

from __future__ import annotations

from pathlib import Path

import pytest

from gatle.config import Resolved, Tree, load_object, override, resolve
from gatle.config.dump import to_toml
from gatle.errors import ConfigError, GatleError
from gatle.run import Run
from gatle.testing.contracts.base import RecordContract
from gatle.testing.sandbox import Sandbox


class RecipeContract(RecordContract):
    """The promises of a recipe. Mark the subclass `slow` to also train it for an epoch."""

    kind = "recipes"

    def tree(self) -> Tree:
        """Return what the recipe says, before it is checked."""
        return load_object(self.target(), source=f"the recipe {self.name!r}")

    def test_resolves(self) -> None:
        """The recipe is a config that gatle accepts as it is.

        If this fails, correct what the message lists; a recipe needs no option to be trained.
        """
        try:
            self._resolve(self.tree(), self.sandbox())
        except ConfigError as error:
            raise AssertionError(f"{self.label}: {error}") from error

    def test_is_the_same_every_time(self) -> None:
        """Called twice, it gives the same config.

        If this fails, read no clock, environment or random number in the recipe.
        """
        first, second = (to_toml(self._resolve(self.tree(), self.sandbox())) for _ in "ab")
        assert first == second, f"{self.label} gave two configs:\n{first}\nand\n{second}"

    def test_trains(self, request: pytest.FixtureRequest, tmp_path: Path) -> None:
        """One epoch of it runs to the end; only where the subclass is marked `slow`.

        If this fails, train the recipe with `gatle train NAME` and read what it says.
        """
        if request.node.get_closest_marker("slow") is None:
            pytest.skip("mark the class with @pytest.mark.slow to train the recipe")
        try:
            run = self._train(tmp_path)
        except GatleError as error:
            raise AssertionError(f"{self.label}: {error}") from error
        assert run.status == "finished", f"{self.label}: one epoch ended {run.status!r}"

    def _train(self, runs: Path) -> Run:
        from gatle.trainer import start

        options = [("loop.max_epochs", 1, "the contract"), ("launch.device", "cpu", "the contract")]
        sandbox = self.sandbox()
        resolved = self._resolve(override(self.tree(), options), sandbox)
        return start(resolved, manager=sandbox.manager, root=runs)

    def _resolve(self, tree: Tree, sandbox: Sandbox) -> Resolved:
        return resolve(tree, manager=sandbox.manager)
