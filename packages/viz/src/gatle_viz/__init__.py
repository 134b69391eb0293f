"""Figures and trackers for gatle."""
