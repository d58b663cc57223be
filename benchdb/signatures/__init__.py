"""Signatures of documents in OpenSSH's format, and the public keys that users registered. `ingest` and `web` use it."""
