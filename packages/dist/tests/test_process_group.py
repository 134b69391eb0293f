from __future__ import annotations

import json
import os
import select
import subprocess
import sys

import pytest

from gatle_dist import checks, plugin
from gatle_dist.checks import process_group
from gatle_dist.processes import run_together

HANG = "import threading; threading.Event().wait()"


def python(code):
    return [sys.executable, "-c", code]


def ends(pid):
    """Whether a process that is no child of this one has ended, or does so when it is waited for.

    A signal to it has been sent, which takes a moment to arrive.
    """
    try:
        descriptor = os.pidfd_open(pid)
    except ProcessLookupError:
        return True
    with open(descriptor, "rb"):
        return bool(select.select([descriptor], [], [], 30)[0])


def assert_nothing_left(finding):
    processes = finding.data["processes"]
    assert [process["rank"] for process in processes] == [0, 1]
    for process in processes:
        with pytest.raises(ProcessLookupError):
            os.kill(process["pid"], 0)


def test_plugin_offers_the_check():
    (check,) = plugin.gatle_checks()
    assert check.name == "process-group"
    assert check.load() is process_group


def test_two_processes_reduce_an_exact_sum():
    finding = process_group(timeout_s=60)
    assert finding.status == "ok", finding
    assert finding.remedy == ""
    assert [a["checksum"] for a in finding.data["answers"]] == [3 * 999 * 500] * 2
    assert finding.data["backends"]["gloo"] is True
    assert set(finding.data["backends"]) == {"gloo", "nccl", "mpi"}
    assert finding.data == json.loads(json.dumps(finding.data))
    assert_nothing_left(finding)


def test_probe_that_exits_1_is_an_error_with_its_last_line():
    code = "import sys; print('first', file=sys.stderr); sys.exit('no route to host')"
    finding = process_group(command=python(code), timeout_s=60)
    assert finding.status == "error"
    assert "exited 1: no route to host" in finding.detail
    assert "127.0.0.1" in finding.remedy
    assert_nothing_left(finding)


def test_probe_that_hangs_is_an_error_and_is_killed():
    finding = process_group(command=python(HANG), timeout_s=0.2)
    assert finding.status == "error"
    assert finding.detail == "rank 0 and rank 1 did not end within 0.2 s and had to be killed"
    assert [process["stopped"] for process in finding.data["processes"]] == [True, True]
    assert_nothing_left(finding)


def test_one_failing_rank_ends_the_one_that_hangs_at_once():
    code = f"import sys\nif sys.argv[1] == '1': sys.exit(3)\n{HANG}"
    finding = process_group(command=python(code), timeout_s=1e6)
    assert finding.status == "error"
    assert finding.detail == "rank 1 exited 3: nothing was said on stderr"
    assert finding.data["processes"][0]["stopped"] is True
    assert_nothing_left(finding)


@pytest.mark.skipif(not hasattr(os, "pidfd_open"), reason="waits through a Linux pidfd")
def test_descendants_are_killed_too(tmp_path):
    spawn = (
        "import pathlib, subprocess, sys\n"
        f"child = subprocess.Popen([sys.executable, '-c', {HANG!r}])\n"
        f"pathlib.Path({str(tmp_path)!r}, sys.argv[1]).write_text(str(child.pid))\n"
        "sys.exit(0)"
    )
    finding = process_group(command=python(spawn), timeout_s=60)
    assert finding.status == "error"
    assert "wrong sum" in finding.detail
    assert_nothing_left(finding)
    children = [int(path.read_text()) for path in tmp_path.iterdir()]
    assert len(children) == 2
    assert all(map(ends, children))


def test_signal_is_named():
    code = "import os, signal; os.kill(os.getpid(), signal.SIGTERM)"
    assert "got signal 15" in process_group(command=python(code), timeout_s=60).detail


def test_wrong_sum_is_an_error():
    code = """import json; print(json.dumps({"rank": 0, "exact": False}))"""
    finding = process_group(command=python(code), timeout_s=60)
    assert finding.status == "error"
    assert "wrong sum" in finding.detail
    assert "reinstall torch" in finding.remedy


@pytest.mark.parametrize("output", ["not JSON", "[1]", ""])
def test_unreadable_answer_is_an_error(output):
    finding = process_group(command=python(f"print({output!r})"), timeout_s=60)
    assert finding.status == "error"
    assert output in finding.detail


def test_command_that_cannot_start_is_an_error():
    finding = process_group(command=["/nonexistent/python"], timeout_s=60)
    assert finding.status == "error"
    assert "could not be started: FileNotFoundError" in finding.detail


def test_build_without_gloo_is_an_error(monkeypatch):
    monkeypatch.setattr(checks, "_backends", lambda: dict.fromkeys(("gloo", "nccl", "mpi"), False))
    finding = process_group()
    assert finding.status == "error"
    assert "no gloo backend" in finding.detail
    assert "install a build of torch" in finding.remedy


def test_loopback_is_chosen_unless_the_user_chose(monkeypatch):
    monkeypatch.delenv("GLOO_SOCKET_IFNAME", raising=False)
    assert checks._environment()["GLOO_SOCKET_IFNAME"].startswith("lo")
    monkeypatch.setenv("GLOO_SOCKET_IFNAME", "eth7")
    assert checks._environment()["GLOO_SOCKET_IFNAME"] == "eth7"


def test_started_processes_are_killed_when_a_later_one_cannot_start(monkeypatch):
    started = []

    class Popen(subprocess.Popen):
        def __init__(self, *arguments, **keywords):
            super().__init__(*arguments, **keywords)
            started.append(self)

    monkeypatch.setattr(subprocess, "Popen", Popen)
    with pytest.raises(FileNotFoundError):
        run_together(
            [python(HANG), ["/nonexistent/python"]], environment=dict(os.environ), timeout_s=60
        )
    assert [process.returncode for process in started[:1]] == [-9]


def test_plugin_module_is_light():
    code = (
        "import sys, gatle_dist.plugin as p, gatle_dist.checks; list(p.gatle_checks());"
        "print([m for m in ('torch', 'numpy') if m in sys.modules])"
    )
    done = subprocess.run(python(code), capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
