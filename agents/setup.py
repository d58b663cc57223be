"""Finds the agent's packages, so that a new one needs no entry in a list; pyproject.toml has everything else."""

from setuptools import find_packages, setup

# The C engine's source and the plans are data, from the folders beside the package (see package-dir).
setup(packages=[*find_packages(include=["benchagent", "benchagent.*"]), "benchagent.fsload", "benchagent.plans"])
