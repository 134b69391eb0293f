"""The `gatle` command."""
