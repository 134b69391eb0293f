"""The table `[plugin.hello]` of a config."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field


class Hello(BaseModel):
    """What `greeting.txt` says, and when; complete without a single key."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    greeting: str = Field(default="Hello", description="The word a greeting starts with.")
    every_epochs: int = Field(default=1, ge=1, description="Epochs between two greetings.")
