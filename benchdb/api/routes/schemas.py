"""`/api/v1/schemas`: the contract as JSON Schema, for people who write agents."""

from __future__ import annotations

from functools import cache

from django.http import HttpRequest
from ninja import Router

from benchdb.ingest.contract import CAMPAIGN_SCHEMA, SCHEMA, CampaignDocument, Document

router = Router(tags=["schemas"])


@router.get("/run/1", response=dict[str, object])
def run_schema(request: HttpRequest) -> dict[str, object]:
    """JSON Schema of the result document `benchdb.run/1`."""
    return _schema(Document, SCHEMA)


@router.get("/campaign/1", response=dict[str, object])
def campaign_schema(request: HttpRequest) -> dict[str, object]:
    """JSON Schema of the document of a campaign, `benchdb.campaign/1`."""
    return _schema(CampaignDocument, CAMPAIGN_SCHEMA)


@cache
def _schema(model: type[Document | CampaignDocument], title: str) -> dict[str, object]:
    schema = model.model_json_schema(by_alias=True)
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema, "title": title}
