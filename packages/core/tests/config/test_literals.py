from __future__ import annotations

import math

import pytest

from gatle.config.literals import parse_literal


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1e-3", 1e-3),
        ("1E3", 1000.0),
        (".5", 0.5),
        ("5.", 5.0),
        ("-3.5e-2", -0.035),
        ("inf", math.inf),
        ("-Infinity", -math.inf),
        ("12", 12),
        ("+7", 7),
        ("1_000", 1000),
        ("1_000.5", 1000.5),
        ("true", True),
        ("False", False),
        ("None", None),
        ("null", None),
        ("[1, 2.5, true, null]", [1, 2.5, True, None]),
        ("[True, None, .5]", [True, None, 0.5]),
        ("(0.9, 0.95)", (0.9, 0.95)),
        ('{"a": [1]}', {"a": [1]}),
        ("{'a': None}", {"a": None}),
        ('"12"', "12"),
        ("'true'", "true"),
        ("adamw", "adamw"),
        ("models.mlp:Net", "models.mlp:Net"),
        ("1.2.3", "1.2.3"),
        ("1__0", "1__0"),
        ("²", "²"),
        ("[unfinished", "[unfinished"),
        ("{1, 2}", "{1, 2}"),
        ("{[]: 1}", "{[]: 1}"),
        (r"'\d+'", r"\d+"),
        ("", ""),
    ],
)
def test_a_text_is_read_as_what_it_stands_for(text, value):
    got = parse_literal(text)
    assert (type(got), got) == (type(value), value)


def test_nan_is_a_number():
    assert math.isnan(parse_literal("nan"))
