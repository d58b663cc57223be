"""Text for LaTeX in its oldest font encoding (OT1): what it cannot set by itself becomes a command, or the number of
the character (`U+4E2D`), so that no label of a run can stop a paper from compiling.
"""

from __future__ import annotations

import re
import unicodedata

_NAMES = ("ss", "ae", "oe", "o", "aa", "AE", "OE", "O", "AA", "l", "L", "i")
_COMMANDS = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "$": r"\$",
    "&": r"\&",
    "%": r"\%",
    "#": r"\#",
    "_": r"\_",
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
# Two hyphens would become a dash, two commas a quote; `?`` and `!`` cannot stand together here.
_LIGATURES = re.compile(r"([-,])(?=\1)")


def escaped(text: str) -> str:
    """The text as itself."""
    return "".join(map(_character, _LIGATURES.sub("\\1\u2060", text)))


def _character(character: str) -> str:
    if character == "\u2060":  # ours: keeps two hyphens apart
        return "{}"
    if character in _COMMANDS:
        return _COMMANDS[character]
    if " " <= character <= "~":
        return character
    parts = unicodedata.normalize("NFD", character)
    base, accent = parts[0], _ACCENTS.get(parts[1:])
    if accent and base.isascii() and base.isalpha():
        letter = f"\\{base}" if base in "ij" and accent != "c" else base
        return f"\\{accent}{{{letter}}}"
    return f"U+{ord(character):04X}"
