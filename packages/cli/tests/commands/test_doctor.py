"""`gatle doctor`."""

from __future__ import annotations

import sys
import types

from gatle.plugin import Check, Finding, hookimpl


def test_every_check_has_a_finding(gatle):
    result = gatle("doctor", "--json")
    checks = {row["name"]: row for row in result.json["checks"]}
    assert result.json["schema"] == "gatle.doctor/1"
    assert {"versions", "installation", "device", "runs-folder"} <= set(checks)
    assert checks["versions"]["status"] == "ok", checks["versions"]
    assert checks["installation"]["status"] == "ok", checks["installation"]
    assert "versions" in gatle("doctor").out


def test_a_check_that_raises_or_finds_an_error_is_named_and_exits_1(gatle, monkeypatch):
    module = types.ModuleType("broken_checks")

    def kaput() -> Finding:
        raise RuntimeError("kaput")

    @hookimpl
    def gatle_checks():
        yield Check(name="kaput", target=kaput, summary="A check that raises.")

    module.gatle_checks = gatle_checks
    monkeypatch.setitem(sys.modules, "broken_checks", module)
    result = gatle("doctor", "--json", "-p", "broken_checks")
    assert result.code == 1
    (found,) = [row for row in result.json["checks"] if row["name"] == "kaput"]
    assert found["status"] == "error"
    assert found["detail"] == "the check itself failed: RuntimeError: kaput"
