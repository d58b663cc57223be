"""What those who run a server need, besides pages: docs/operations.md tells them of it."""
