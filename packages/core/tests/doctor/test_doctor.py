from __future__ import annotations

from types import SimpleNamespace

import pytest

from gatle.doctor import checks, run_checks
from gatle.plugin import Check


def test_cores_own_checks_find_this_environment_in_order(manager):
    found = {result.check.record.name: result.finding for result in run_checks(manager)}
    assert found.keys() == {"device", "installation", "runs-folder", "versions"}
    assert {found[name].status for name in ("device", "installation", "versions")} == {"ok"}


@pytest.mark.parametrize(
    ("target", "detail"),
    [
        (lambda: 1 / 0, "the check itself failed: ZeroDivisionError: division by zero"),
        (lambda: "fine", "the check returned a str, expected a Finding"),
        ("gatle:gone", "the check itself failed: AttributeError: module 'gatle' has no attribute"),
    ],
)
def test_a_check_that_fails_is_a_finding_and_the_others_go_on(manager, plugin_of, target, detail):
    bad = Check(name="a-bad-one", target=target, summary="Breaks.")
    manager.register(plugin_of(gatle_checks=lambda: [bad]), name="bad", distribution="gatle-bad")
    results = list(run_checks(manager))
    assert len(results) == 5
    assert results[0].finding.status == "error"
    assert results[0].finding.detail.startswith(detail)
    assert "gatle-bad" in results[0].finding.remedy


def test_a_version_that_is_too_old_is_an_error_that_says_what_is_required(monkeypatch):
    versions = {"torch": "1.0"}
    real = checks.version
    monkeypatch.setattr(checks, "version", lambda name: versions.get(name) or real(name))
    finding = checks.versions()
    assert finding.status == "error"
    assert finding.detail == "torch<3,>=2.11 is required, 1.0 is installed"


def test_a_folder_for_runs_that_cannot_be_made_is_judged_by_its_parent(monkeypatch, tmp_path):
    monkeypatch.setenv("GATLE_RUNS", str(tmp_path / "not" / "yet"))
    finding = checks.runs_folder()
    assert finding.status in {"ok", "warning"}
    assert finding.data["folder"] == str(tmp_path / "not" / "yet")
    assert not (tmp_path / "not").exists()


def test_a_full_disk_is_a_warning(monkeypatch, tmp_path):
    monkeypatch.setenv("GATLE_RUNS", str(tmp_path))
    monkeypatch.setattr(checks.shutil, "disk_usage", lambda _: SimpleNamespace(free=10))
    finding = checks.runs_folder()
    assert (finding.status, finding.remedy) == ("warning", "make room or set GATLE_RUNS")
