"""Distributed training for gatle."""
