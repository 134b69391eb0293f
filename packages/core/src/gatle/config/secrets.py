"""Which keys name something that must be neither printed nor stored."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

SECRET = "**********"
_WORDS = {"secret", "password", "passwd", "apikey", "credential", "credentials"}
_ENDINGS = ("api_key", "api-key", "webhook_url", "webhook")
_MARKS = {"bos", "cls", "eos", "mask", "pad", "sep", "special", "unk"}
"""A `pad_token` is a word of a vocabulary, which a model cannot be rebuilt without."""


def is_secret(key: str) -> bool:
    """Whether a key names something that must not be printed or stored."""
    lowered = key.lower()
    words = set(re.split(r"[_\-.]", lowered))
    if "token" in words and not words & _MARKS:
        return True
    return bool(words & _WORDS) or lowered.endswith(_ENDINGS)


def masked(value: Any, key: str = "") -> Any:
    """Return a value with everything under the name of a secret replaced, at any depth."""
    secret = is_secret(key)
    if isinstance(value, Mapping):
        return {k: masked(item, key if secret else str(k)) for k, item in value.items()}
    if isinstance(value, list | tuple):
        return [masked(item, key) for item in value]
    if not secret or value in ("", None) or isinstance(value, bool):
        return value
    is_count = "token" in key.lower() and not isinstance(value, str)
    return value if is_count else SECRET


def shown(path: str, value: Any) -> str:
    """Return the value at a dotted path as messages show it: short, and without secrets."""
    key = next((part for part in path.split(".") if is_secret(part)), "")
    text = repr(masked(value, key))
    return text if len(text) <= 80 else f"{text[:77]}..."


def without_secrets(arguments: Iterable[str]) -> list[str]:
    """Return the words of a command line with the secrets of `key=value` masked."""
    return [_masked_word(word) for word in arguments]


def _masked_word(word: str) -> str:
    key, equals, _ = word.partition("=")
    return f"{key}={SECRET}" if equals and is_secret(key.rpartition(".")[2]) else word
