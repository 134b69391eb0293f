"""Subcommands of `gatle` that draw."""
