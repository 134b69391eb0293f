from __future__ import annotations

import tomllib

import tomli_w
from hypothesis import given, settings
from hypothesis import strategies as st

from gatle.config.toml_lines import key_lines

TRICKY = '''\
# a = 1
title = "x = [y] # no comment"   # a comment = [z]
[data]
name = "digits"
  indented = 1
"quoted key" = 2
'single.dotted' = 3
a . b = 4
inline = { x = 1, y = [1, 2] }

[ model ] # header
params.width = 5
text = """
fake = 1
[fake]
quotes \\""" still inside """
literal = \'\'\'
[also.fake] = 2\'\'\'
list = [
  "]", # not the end ]
  { z = 1 },
  [ 2 ],
]
after = 6

[[metrics]]
name = "accuracy"
[metrics.params]
k = 1
[[metrics]]
name = "f1"
[[metrics.parts]]
w = 1
["odd [name]".sub]
deep = 1
'''

EXPECTED = {
    "title": 2,
    "data": 3,
    "data.name": 4,
    "data.indented": 5,
    "data.quoted key": 6,
    "data.single": 7,
    "data.single.dotted": 7,
    "data.a": 8,
    "data.a.b": 8,
    "data.inline": 9,
    "model": 11,
    "model.params": 12,
    "model.params.width": 12,
    "model.text": 13,
    "model.literal": 17,
    "model.list": 19,
    "model.after": 24,
    "metrics": 26,
    "metrics.0": 26,
    "metrics.0.name": 27,
    "metrics.0.params": 28,
    "metrics.0.params.k": 29,
    "metrics.1": 30,
    "metrics.1.name": 31,
    "metrics.1.parts": 32,
    "metrics.1.parts.0": 32,
    "metrics.1.parts.0.w": 33,
    "odd [name]": 34,
    "odd [name].sub": 34,
    "odd [name].sub.deep": 35,
}


def test_every_key_of_a_tricky_text_has_its_line():
    tomllib.loads(TRICKY)
    assert key_lines(TRICKY) == EXPECTED


def test_line_breaks_are_those_of_toml_alone():
    assert key_lines("a = 'one\u2028two\x85'\r\nb = 1\r\n") == {"a": 1, "b": 2}


def test_a_named_table_keeps_its_header_though_its_child_came_first():
    assert key_lines("[a.b]\n[a]\nc = 1\n") == {"a": 2, "a.b": 1, "a.c": 3}


KEYS = st.text(st.characters(codec="utf-8", exclude_characters="."), min_size=1, max_size=6)
VALUES = st.recursive(
    st.one_of(st.integers(-9, 9), st.booleans(), st.text(max_size=8)),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3),
    max_leaves=8,
)


@settings(max_examples=25, deadline=None)
@given(st.dictionaries(KEYS, VALUES, max_size=5), st.booleans())
def test_the_line_of_a_key_holds_that_key(values, multiline):
    text = tomli_w.dumps(values, multiline_strings=multiline)
    lines, found = text.split("\n"), key_lines(text)
    for key in values:
        assert key in found
        line = lines[found[key] - 1]
        written = tomli_w.dumps({key: 0}).removesuffix(" = 0\n")
        assert line.strip().startswith((written, f"[{written}", f"[[{written}"))
