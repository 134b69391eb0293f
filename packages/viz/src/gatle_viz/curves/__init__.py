"""Curves of runs: read from the record, smoothed, arranged in panels, drawn."""
