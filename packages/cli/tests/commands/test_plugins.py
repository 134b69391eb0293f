"""`gatle plugins`."""

from __future__ import annotations


def test_every_plugin_is_shown_with_state_and_time(gatle):
    result = gatle("plugins", "--json")
    rows = {row["name"]: row for row in result.json["plugins"]}
    assert result.json["schema"] == "gatle.plugins/1"
    assert rows["cli"]["state"] == "active"
    assert rows["cli"]["hooks"] == ["gatle_commands"]
    assert rows["core"]["records"] > 10
    assert "cli" in gatle("plugins").out


def test_records_of_one_kind(gatle):
    result = gatle("plugins", "--kind", "losses", "--json")
    assert {"name": "cross-entropy", "plugin": "core"}.items() <= result.json["records"][0].items()
    assert "cross-entropy" in gatle("plugins", "--kind", "losses").out


def test_a_kind_that_is_not_there_is_an_error(gatle):
    result = gatle("plugins", "--kind", "loses")
    assert result.code == 2
    assert "'losses'" in result.err
