"""Single facts as text for people: sizes in binary units, `unknown` for None, and marks on declared facts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from .facts import Environment, TargetFacts

LABEL_WIDTH = 15
UNITS = ("B", "KiB", "MiB", "GiB", "TiB", "PiB")
UNKNOWN = "unknown"


def size(number: int | None) -> str:
    """Bytes as text: exact if that is short (`48 KiB`), else with three digits (`23.5 GiB`)."""
    if number is None:
        return UNKNOWN
    value, unit = float(number), 0
    while value >= 1024 and unit < len(UNITS) - 1:
        value, unit = value / 1024, unit + 1
    digits = f"{value:.0f}" if value == int(value) or value >= 100 else f"{value:.3g}"
    return f"{digits} {UNITS[unit]}"


def size_or_none(number: int | None) -> str:
    return "none" if number is None else size(number)


def text_of(value: object, none: str = UNKNOWN) -> str:
    """A fact as text; `none` for None."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return none if value is None else str(value)


def aligned(label: str, texts: Iterable[str]) -> Iterator[str]:
    """Each text on a line of its own, the first one after the label."""
    for text in texts:
        yield f"{label:<{LABEL_WIDTH}} {text}".rstrip()
        label = ""


class Marks:
    """Marks the declared facts of a section; facts without a mark were detected."""

    def __init__(self, provenance: Mapping[str, str]) -> None:
        self._provenance = provenance

    def unknown(self, pointer: str) -> bool:
        return self._provenance.get(pointer) == "unknown"

    def __call__(self, text: str, *pointers: str) -> str:
        """The text, marked with the declared ones of the facts at `pointers`; `(declared)` if all of them are."""
        declared = [pointer for pointer in pointers if self._declared(pointer)]
        if not declared:
            return text
        names = ", ".join(pointer.rpartition("/")[2].replace("_", " ") for pointer in declared)
        return f"{text} (declared)" if len(declared) == len(pointers) else f"{text} (declared: {names})"

    def _declared(self, pointer: str) -> bool:
        return any(
            how == "declared" and (pointer == prefix or pointer.startswith(f"{prefix}/"))
            for prefix, how in self._provenance.items()
        )


def contradictions(section: Environment | TargetFacts) -> Iterator[str]:
    """The contradictions between config file and machine, and the declarations that match nothing on the machine."""
    lines = [
        f"{fact['fact']}: detected {text_of(fact['detected'])}, declared {text_of(fact['declared'])} "
        f"(kept: {fact['kept']})"
        for fact in section.get("contradictions", [])
    ]
    yield from aligned("Contradictions", lines)
    unmatched = section["extra"].get("declared_of_nothing", [])
    yield from aligned("Config file", [f"{pointer} fits nothing on this machine" for pointer in unmatched])
