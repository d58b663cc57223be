"""The form in which a person chooses the tool of files and states a unit that they lack, for the page and the API."""

from __future__ import annotations

from django import forms

from benchagent import formats

TOOLS = sorted({format_.TOOL for format_ in formats.all_formats().text})
_UNITS = {"ops/s": "operations/s", "us": "µs"}  # as people read them
CHOICES = {
    "tool": [("", "recognize it from the text"), *((tool, tool) for tool in TOOLS)],
    "unit": [("", "the text contains it"), *((unit, _UNITS.get(unit, unit)) for unit in formats.stated_units())],
}


class ReadingForm(forms.Form):
    """How files are read; empty choices leave it to the text."""

    tool = forms.ChoiceField(
        required=False,
        choices=CHOICES["tool"],
        error_messages={"invalid_choice": f"%(value)s is no tool; possible are {', '.join(TOOLS)}."},
    )
    unit = forms.ChoiceField(
        required=False,
        choices=CHOICES["unit"],
        error_messages={
            "invalid_choice": f"%(value)s cannot be stated as a unit; possible are {', '.join(formats.stated_units())}."
        },
    )

    def faults(self) -> list[tuple[str, str]]:
        """(field, message) of each fault."""
        return [(name, str(message)) for name, messages in self.errors.items() for message in messages]

    def options(self, name: str) -> list[dict[str, object]]:
        """The choices of a field for a menu, with the one that was sent."""
        sent = str(self.data.get(name, ""))
        return [{"value": value, "text": text, "selected": value == sent} for value, text in CHOICES[name]]
