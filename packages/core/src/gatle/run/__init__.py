"""What a run is, and its folder, metadata and record on disk."""

from __future__ import annotations

from gatle.run.folder import create_folder, default_root, find_folder
from gatle.run.metadata import derived_status, read_metadata, start_facts, write_status
from gatle.run.record import Record, Recorder, read
from gatle.run.run import Best, Run, Stateful, Status, error_text

__all__ = [
    "Best",
    "Record",
    "Recorder",
    "Run",
    "Stateful",
    "Status",
    "create_folder",
    "default_root",
    "derived_status",
    "error_text",
    "find_folder",
    "read",
    "read_metadata",
    "start_facts",
    "write_status",
]
