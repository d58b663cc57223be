"""Tools for server administrators: probes, metrics, backup, `manage.py doctor`. See docs/operations.md."""
