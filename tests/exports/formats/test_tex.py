"""LaTeX, checked by a strict reader, and by the real pdfLaTeX if it is installed."""

import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from hypothesis import given
from hypothesis import strategies as st

from benchdb.compare.content import Content
from benchdb.exports.formats import tex
from benchdb.stats import STATISTICS_VERSION
from benchdb.wording.tex import latex_text
from tests.support.comparing.exported import ADDRESS, FROZEN, HOSTILE, KINDS, a_table, saying
from tests.texts import missing_in

# All commands that we write, and those of `latex_text`.
COMMANDS = set(
    """
    begin end centering caption small footnotesize scriptsize setlength tabcolsep par medskip smallskip linewidth
    toprule midrule bottomrule multicolumn textbf textit raggedright
    textbackslash textasciitilde textasciicircum textless textgreater textbar textasciigrave textquotesingle dots
    bigtriangleup bigtriangledown approx div pm times uparrow downarrow to leq geq mu cdot circ
    ss ae oe o aa AE OE O AA l L i j u r H v c
    """.split()  # noqa: SIM905
) | set("\\{}$&%#_,`'^~=.\"")
TOKEN = re.compile(r"\\([A-Za-z]+|.)|([{}&%$#_^~])|\n", re.DOTALL)
ENVIRONMENTS = re.compile(r"\\(begin|end)\{(\w+)\}")


def check(source: str) -> None:
    """Check for ASCII, known commands, balanced braces and environments, closed math, no active characters but ours."""
    source = "\n".join(line for line in source.split("\n") if not line.startswith("% "))
    assert source.isascii()
    opened: list[str] = []
    for kind, name in ENVIRONMENTS.findall(source):
        if kind == "begin":
            opened.append(name)
        else:
            assert opened.pop() == name
    assert opened == []
    depth, math = 0, False
    for match in TOKEN.finditer(source):
        command, special = match[1], match[2]
        if command is not None:
            assert command in COMMANDS, command
        elif special == "$":
            math = not math
        elif special in ("{", "}"):
            depth += 1 if special == "{" else -1
            assert depth >= 0
        elif special:
            assert special in "&~" or math, special
    assert depth == 0
    assert not math


def rows(source: str) -> list[list[str]]:
    """The cells of all tabulars; a cell counts once for each of its columns. Each row is as wide as its tabular."""
    result = []
    for columns, body in re.findall(r"\\begin\{tabular\}\{(.*?)\}\n(.*?)\\end\{tabular\}", source, re.DOTALL):
        number = len(re.findall("[lr]", re.sub(r"@\{.*?\}", "", columns)))
        for line in re.findall(r"(.*?) \\\\\*?(?:\[2pt\])?\n", body):
            cells = re.split(r"(?<!\\)&", line.rpartition("rule\n")[2])
            spans = [int(span[1]) if (span := re.search(r"\\multicolumn\{(\d)\}", cell)) else 1 for cell in cells]
            result.append([cell.strip() for cell, span in zip(cells, spans, strict=True) for _ in range(span)])
            assert len(result[-1]) == number
    return result


def test_a_table(owner: User) -> None:
    source = tex.export(a_table(owner), FROZEN)

    check(source)
    assert source.count(r"\begin{tabular}{lr@{}l@{ }lr@{}l@{ }l}") == 2
    assert {len(row) for row in rows(source)} == {7}
    assert not missing_in(
        source,
        r"xfs & \textbf{120} & \textbf{.00} & \scriptsize $\bigtriangleup$ 20.0 \% faster",
        r"& \scriptsize $\pm$ 0 & \scriptsize .53",
        f"Source: {ADDRESS}",
        f"statistics version {STATISTICS_VERSION}",
    )


@pytest.mark.parametrize("words", HOSTILE)
@pytest.mark.parametrize("kind", KINDS)
def test_words_stay_words(owner: User, kind: Callable[[User], Content], words: str) -> None:
    source = tex.export(saying(kind(owner), words), FROZEN)

    check(source)
    assert len(rows(source)) > 3


@given(st.text())
def test_no_text_can_stop_latex(text: str) -> None:
    check(latex_text(text))


def test_dashes_accents_and_other_scripts() -> None:
    assert latex_text("mkfs --foo ---x") == "mkfs -{}-foo -{}-{}-x"
    assert latex_text("é ï ł ß ñ") == r"\'{e} \"{\i} {\l} {\ss} \~{n}"
    assert latex_text("文 ±1 %") == r"U+6587 $\pm$1 \%"


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="no pdflatex")
@pytest.mark.parametrize("kind", KINDS)
def test_it_compiles(owner: User, tmp_path: Path, kind: Callable[[User], Content]) -> None:
    tables = "\n".join(tex.export(saying(kind(owner), words), FROZEN) for words in HOSTILE)
    document = "\\documentclass{article}\n\\usepackage{booktabs}\n\\begin{document}\n" + tables + "\\end{document}\n"
    (tmp_path / "a.tex").write_text(document.replace("\\end{table}", "\\end{table}\\clearpage"))

    command = ["pdflatex", "-no-shell-escape", "-halt-on-error", "a.tex"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)

    assert done.returncode == 0, done.stdout[-2000:]
