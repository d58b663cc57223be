"""The models of runs, for every app; import them from here, not from the modules."""

from .conditions import in_short, with_conditions
from .facets import Facets, Source
from .kept import KeptPart, RunChange, Turn
from .result import VALUES, Histogram, Parse, Result, RoundSeries, SingleField, Status, Summary
from .run import (
    FINISHED,
    UNFINISHED,
    Artifact,
    PermalinkReader,
    Run,
    RunQuerySet,
    RunState,
    RunStateQuerySet,
    State,
    Tombstone,
    Visibility,
    in_hidden_campaign,
    in_own_campaign,
    source_of,
)

__all__ = [
    "FINISHED",
    "UNFINISHED",
    "VALUES",
    "Artifact",
    "Facets",
    "Histogram",
    "KeptPart",
    "Parse",
    "PermalinkReader",
    "Result",
    "RoundSeries",
    "Run",
    "RunChange",
    "RunQuerySet",
    "RunState",
    "RunStateQuerySet",
    "SingleField",
    "Source",
    "State",
    "Status",
    "Summary",
    "Tombstone",
    "Turn",
    "Visibility",
    "in_hidden_campaign",
    "in_own_campaign",
    "in_short",
    "source_of",
    "with_conditions",
]
