"""Tests of benchdb.compare.response."""
