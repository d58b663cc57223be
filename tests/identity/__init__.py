"""Tests of accounts of people whom somebody else has identified."""
