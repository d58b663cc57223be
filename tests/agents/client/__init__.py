"""The client of scripts and of `benchagent compare`."""
