"""Types of fields for all sections of a document.

Sizes are whole bytes, times are seconds, ratios are 1 for the whole. `None` is an unknown fact.
"""

from __future__ import annotations

from typing import Annotated, Literal, TypeVar

from pydantic import (
    BaseModel,
    ConfigDict,
    FailFast,
    Field,
    StringConstraints,
    ValidationError,
    ValidatorFunctionWrapHandler,
)
from pydantic.functional_validators import WrapValidator
from pydantic_core import PydanticCustomError

from benchdb.wording.names import OF_NAMES

MAX_INTEGER = 2**63 - 1  # PostgreSQL's bigint
# No quantity of a benchmark is larger, in bytes, bytes/s, seconds or operations/s; sums of squares stay finite.
MAX_QUANTITY = 1e18


class Section(BaseModel):
    """A part of the document. Unknown fields are refused, values are never coerced, text may hold no NUL."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, allow_inf_nan=False)


Text = Annotated[str, StringConstraints(min_length=1, max_length=4096, pattern=r"^[^\x00]*$")]
Name = Annotated[str, StringConstraints(min_length=1, max_length=200, pattern=OF_NAMES)]
ShortName = Annotated[str, StringConstraints(min_length=1, max_length=64, pattern=OF_NAMES)]
Identifier = Annotated[str, StringConstraints(max_length=64, pattern=r"^[a-z][a-z0-9_]*$")]
LongText = Annotated[str, StringConstraints(max_length=1_000_000, pattern=r"^[^\x00]*$")]
Count = Annotated[int, Field(ge=0, le=MAX_INTEGER)]
Bytes = Annotated[int, Field(ge=0, le=MAX_INTEGER)]
PositiveBytes = Annotated[int, Field(gt=0, le=MAX_INTEGER)]
Quantity = Annotated[float, Field(ge=0, le=MAX_QUANTITY)]


def _scalar(value: object, check: ValidatorFunctionWrapHandler) -> object:
    """Report one fault instead of one for each union member; and do not turn too large whole numbers into floats."""
    checked: object
    try:
        checked = check(value)
    except ValidationError:
        checked = None
    if type(checked) is not type(value):
        raise PydanticCustomError("scalar", "a text of 1 to 200 characters, a number, true, false or null")
    return checked


Scalar = Annotated[
    Name
    | bool
    | Annotated[int, Field(ge=-MAX_INTEGER, le=MAX_INTEGER)]
    | Annotated[float, Field(ge=-MAX_QUANTITY, le=MAX_QUANTITY)]  # greater ones come back as too large whole numbers
    | None,
    WrapValidator(_scalar),
]
Extra = dict[Name, object]

T = TypeVar("T")
# A list that may be long: its check stops at the first faulty item. `check_schema` finds the others, up to a bound.
Many = Annotated[list[T], FailFast()]


class Contradiction(Section):
    """A fact that a person declared and the machine tells otherwise; `kept` says which of both is used."""

    fact: Name  # its JSON Pointer inside the section
    detected: Scalar
    declared: Scalar
    kept: Literal["detected", "declared"]


# How a fact is known. The keys are JSON Pointers inside the section that holds the map: {"/cpu/model": "declared"}.
# A fact that is not named was detected by the agent, or is unknown if its value is null.
Provenance = dict[Name, Literal["detected", "declared", "published", "inferred", "unknown"]]
