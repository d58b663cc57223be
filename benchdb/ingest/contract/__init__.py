"""The contract between agent and server: the result document `benchdb.run/1` (docs/result-format.md)."""

from .document import SCHEMA, Document
from .faults import Fault, FaultyDocument
from .validate import validate

__all__ = ["SCHEMA", "Document", "Fault", "FaultyDocument", "validate"]
