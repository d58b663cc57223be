"""Middleware for all requests: access, rate limits, compression, a database that is down."""
