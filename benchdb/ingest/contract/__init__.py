"""The contract between agent and server: `benchdb.run/1` and `benchdb.campaign/1` (docs/result-format.md)."""

from __future__ import annotations

from .campaign import CAMPAIGN_SCHEMA, CampaignDocument
from .document import SCHEMA, Document
from .faults import Fault, FaultyDocument
from .validate import CheckedCampaign, CheckedDocument, validate, validate_campaign

__all__ = [
    "CAMPAIGN_SCHEMA",
    "SCHEMA",
    "CampaignDocument",
    "CheckedCampaign",
    "CheckedDocument",
    "Document",
    "Fault",
    "FaultyDocument",
    "validate",
    "validate_campaign",
]
