"""Servers, browsers and filled sites for the tests in a browser."""
