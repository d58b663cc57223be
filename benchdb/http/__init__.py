"""Helpers for requests that all apps share: reading them, limiting their rate, and work after the response."""
