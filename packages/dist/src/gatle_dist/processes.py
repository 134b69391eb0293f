"""Running a handful of processes to their end, and leaving none behind whatever happens."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import FIRST_EXCEPTION, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory


@dataclass(frozen=True, slots=True, kw_only=True)
class Ended:
    """How one process ended.

    Attributes:
        pid: The process it was; it is gone.
        returncode: Its exit status, or minus the signal that ended it.
        stopped: Whether it was killed here, because time was up or another one had failed.
        output: What it wrote to stdout.
        errors: What it wrote to stderr.
    """

    pid: int
    returncode: int
    stopped: bool
    output: str
    errors: str


def run_together(
    commands: Sequence[Sequence[str]], *, environment: Mapping[str, str], timeout_s: float
) -> list[Ended]:
    """Run commands side by side until all have ended, one has failed, or time is up.

    Each command leads a process group of its own; when this returns or raises, every group has been
    killed and every process waited for.

    Args:
        commands: One command per process.
        environment: The environment variables of all of them.
        timeout_s: Seconds after which those still running are killed.

    Raises:
        OSError: If a command cannot be started.
    """
    with TemporaryDirectory(prefix="gatle-dist-") as name:
        folder = Path(name)
        with _started(commands, environment, folder) as processes:
            stopped = _wait(processes, timeout_s)
        return [
            Ended(
                pid=process.pid,
                returncode=process.returncode,
                stopped=process.pid in stopped and process.returncode == -signal.SIGKILL,
                output=_text(folder / f"{rank}.out"),
                errors=_text(folder / f"{rank}.err"),
            )
            for rank, process in enumerate(processes)
        ]


@contextmanager
def _started(
    commands: Sequence[Sequence[str]], environment: Mapping[str, str], folder: Path
) -> Iterator[list[subprocess.Popen[bytes]]]:
    processes: list[subprocess.Popen[bytes]] = []
    try:
        for rank, command in enumerate(commands):
            processes.append(_start(command, environment, folder / str(rank)))
        yield processes
    finally:
        for process in processes:
            _kill_group(process)
        for process in processes:
            process.wait()


def _start(
    command: Sequence[str], environment: Mapping[str, str], stem: Path
) -> subprocess.Popen[bytes]:
    # Files, not pipes: a descendant that keeps a pipe open would be waited for.
    with stem.with_suffix(".out").open("wb") as out, stem.with_suffix(".err").open("wb") as err:
        return subprocess.Popen(
            command,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=err,
            start_new_session=True,
        )


def _wait(processes: Sequence[subprocess.Popen[bytes]], timeout_s: float) -> set[int]:
    """Wait for the first failure or for all; return the processes that had to be killed."""
    with ThreadPoolExecutor(len(processes)) as pool:
        jobs = {pool.submit(_finish, process): process for process in processes}
        try:
            pending: set[Future[None]] = wait(
                jobs, timeout=timeout_s, return_when=FIRST_EXCEPTION
            ).not_done
            return {jobs[job].pid for job in pending}
        finally:
            for process in processes:
                _kill_group(process)


def _finish(process: subprocess.Popen[bytes]) -> None:
    if process.wait() != 0:
        raise subprocess.CalledProcessError(process.returncode, process.args)


def _kill_group(process: subprocess.Popen[bytes]) -> None:
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        return  # it and all its descendants have ended


def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8", errors="replace")
