"""Phrases that read like a translation, and must not return to the site, the agent or the docs."""

import re
from pathlib import Path

import pytest

ROOTS = {
    "benchdb": ("*.html", "*.py"),
    "agents/benchagent": ("*.py", "*.toml"),
    "frontend/src": ("*.ts",),
    "docs": ("*.md",),
}
REJECTED = [
    r"whoever\b",
    r"lines? below wants?\b",
    r"tests that say when a difference is none",
    r"never asked for work",
    r"what the machine lacks",
    r"(nobody|who) (is better|could read|knows what)",
    r"the number tells",
    r"when asked\.",
    r"they are in every figure",
    r"does not know how much",
    r"what is said of it",
    r"scroll to come closer",
    r"back to the first view",
    r"must stand in",
    r"stands (for a|there|below|alone|here|in its place)",
    r"keep and show again",
    r"(figures|it) went from",
    r"as it would be today",
    r"let it count again",
    r"leave it(?: as it is)?</",
    r"its? workloads fared",
    r"goes? for good",
    r"given up for good",
    r"may choose it best",
    r"what is not here",
    r"nothing is found for",
    r"what (it is|became of the runs)</",
    r"far from the others:",
    r"to know before trusting",
    r"lines? to paste",
    r"measures a machine in two lines",
    r"travels in plain",
    r"that everybody has",
    r"somebody else'?s? (before|already)",
    r"undo what a killed agent left",
    r"what this machine lacks",
    r"for programs, in base units",
    r"whose output it is",
    r"where it has changed its mind",
    r"choose no cell",
    r"exchange the two",
    r"the same as numbers",
    r"the same as it is now",
    r"(?:files?|not|was|were) (?:un)?recognised\b",
    r"\bsynchronis(?:e|es|ed)\b",
]
PHRASE = re.compile("|".join(f"(?:{phrase})" for phrase in REJECTED), re.IGNORECASE)


def files() -> list[Path]:
    found = [path for root, names in ROOTS.items() for name in names for path in Path(root).rglob(name)]
    return [path for path in [*found, Path("README.md")] if "migrations" not in path.parts]


@pytest.mark.parametrize("root", [*ROOTS, "README.md"])
def test_no_rejected_phrase(root: str) -> None:
    texts = {path: path.read_text() for path in files() if path.is_relative_to(root)}

    found = [f"{path}: {match[0]}" for path, text in texts.items() for match in PHRASE.finditer(" ".join(text.split()))]

    assert texts
    assert found == []


def test_the_phrases_are_found() -> None:
    assert PHRASE.search("Ask Whoever runs this server")
    assert PHRASE.search("The lines below want a token in place of YOUR-TOKEN")
