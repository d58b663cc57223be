"""Text for LaTeX and for BibTeX, escaped."""

from __future__ import annotations

import re
import unicodedata

_NAMES = ("ss", "ae", "oe", "o", "aa", "AE", "OE", "O", "AA", "l", "L", "i")
_BACKSLASHED = {sign: f"\\{sign}" for sign in "#$%&_"}
# BibTeX keeps other characters. Its braces must balance, so braces become commands.
_BIBTEX = str.maketrans(
    {
        **_BACKSLASHED,
        "\\": r"{\textbackslash}",
        "{": r"{\textbraceleft}",
        "}": r"{\textbraceright}",
        "~": r"{\textasciitilde}",
        "^": r"{\textasciicircum}",
        "\n": " ",
    }
)
_LATEX = {
    **_BACKSLASHED,
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': "''",
    "`": r"\textasciigrave{}",
    "'": r"\textquotesingle{}",
    "[": "{[}",  # after a line break it would begin an option
    "]": "{]}",
    "*": "{*}",
    "▲": r"$\bigtriangleup$",
    "▼": r"$\bigtriangledown$",
    "≈": r"$\approx$",
    "÷": r"$\div$",
    "±": r"$\pm$",
    "×": r"$\times$",
    "−": r"$-$",
    "↑": r"$\uparrow$",
    "↓": r"$\downarrow$",
    "→": r"$\to$",
    "≤": r"$\leq$",
    "≥": r"$\geq$",
    "²": r"$^2$",
    "µ": r"$\mu$",
    "μ": r"$\mu$",
    "·": r"$\cdot$",
    "…": r"\dots{}",
    "–": "--",
    "—": "---",
    "‘": "`",
    "’": "'",
    "“": "``",
    "”": "''",
    "°": r"$^\circ$",
    "\u00a0": "~",
    "\u202f": r"\,",
    "\ufffd": r"\textbf{?}",
    **{letter: f"{{\\{name}}}" for letter, name in zip("ßæœøåÆŒØÅłŁı", _NAMES, strict=True)},
}
_ACCENTS = {
    "\u0300": "`",
    "\u0301": "'",
    "\u0302": "^",
    "\u0303": "~",
    "\u0304": "=",
    "\u0306": "u",
    "\u0307": ".",
    "\u0308": '"',
    "\u030a": "r",
    "\u030b": "H",
    "\u030c": "v",
    "\u0327": "c",
}
# Two hyphens would become a dash, two commas a quote; `?`` and `!`` cannot occur.
_LIGATURES = re.compile(r"([-,])(?=\1)")


def bibtex_text(text: str) -> str:
    """The text for a field of a BibTeX entry, in one line."""
    return text.translate(_BIBTEX)


def latex_text(text: str) -> str:
    """The text in ASCII for LaTeX's oldest font encoding (OT1).

    A character that the encoding lacks becomes a command or its number (`U+4E2D`), so that no label of a run can stop
    a paper from compiling.
    """
    return "".join(map(_character, _LIGATURES.sub("\\1\u2060", text)))


def _character(character: str) -> str:
    if character == "\u2060":  # from `_LIGATURES`: separates two hyphens
        return "{}"
    if character in _LATEX:
        return _LATEX[character]
    if " " <= character <= "~":
        return character
    decomposed = unicodedata.normalize("NFD", character)
    base, accent = decomposed[0], _ACCENTS.get(decomposed[1:])
    if accent and base.isascii() and base.isalpha():
        letter = f"\\{base}" if base in "ij" and accent != "c" else base
        return f"\\{accent}{{{letter}}}"
    return f"U+{ord(character):04X}"
