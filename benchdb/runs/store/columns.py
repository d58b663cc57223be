"""The columns of results and summaries as the models define them; COPY and SELECT statements take their names here."""

from __future__ import annotations

from django.db import models

from benchdb.runs.models import Result, SingleField, Summary

KEY = ("run_id", "parse", "ordinal")  # the first columns of both tables


def _columns(model: type[models.Model], field_type: type = models.Field) -> tuple[str, ...]:
    """The columns of this type in the order of the model, without those of `KEY`."""
    fields = [field for field in model._meta.concrete_fields if isinstance(field, field_type)]
    return tuple(field.column for field in fields if field.column and field.column not in KEY)


RESULT = _columns(Result)
RESULT_JSON = _columns(Result, models.JSONField)
SUMMARY = _columns(Summary)
SUMMARY_JSON = _columns(Summary, models.JSONField)
SUMMARY_SINGLES = _columns(Summary, SingleField)
