#!/usr/bin/env python3
"""Writes the findings of the articles again: the arithmetic on their statements and figures, and its sentences.

    PYTHONPATH=.:agents .venv/bin/python tools/article_findings.py

A finding of `benchdb/publications/data/SLUG.json` with a `relation` compares its `statements`, counted from 0:
`0 = 1 × 2 ÷ 3`, `0 is 1 ÷ 2` (a share; `sd 1` is its sd), `0 is 1 after 2` (a change), `1 × 2 = 3` (for the cache, a
size and the memory). `most 1 2 3 4` is what a rate writes in a time limit, in pieces, with one begun by each thread;
`room` is a space, `index` a number counted from 0; what a disk or its interface can do stands in words. Findings of
whole runs have no relation. Clock and cache verdicts stay as they are. A test compares everything with the data file.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from decimal import ROUND_DOWN, ROUND_HALF_UP, Decimal
from itertools import product
from typing import Any, NamedTuple

from benchagent.formats.vocabulary import METRICS
from benchdb.publications.data_files import DATA, Article, ArticleFigure, merged, read, slugs
from benchdb.publications.documents import documents
from benchdb.stats import Access, CacheFacts, CacheVerdict, cache_sentence, cache_verdict

Finding = dict[str, Any]
Range = tuple[Decimal, Decimal]  # both ends included; both are positive, except those of changes
INFINITE = Decimal("Infinity")
# Rounded to their last digit; all others were counted or chosen, so they are exact unless an entry is `rounded`.
MEASURED = "rate", "time", "operations", "CPU use", "share", "change", "frequency", "capacity", "axis", "year"
VALUE = re.compile(r"^(>=|<=|>|<)? ?(?:(\d+)m)?(-?[\d.,]+(?:E\d+)?) ?(.*)$")
BYTES = re.compile(r"^([kKMGT]?)(i?)(B|bit)(?:/s)?$")
LITERAL = re.compile(r"(?:moves )?(\d[\d.]* .B(?:/s)?)(?: by its name)?$")
UNITS = {"%": Decimal("0.01"), "min": Decimal(60), "MHz": Decimal(10**6), "GHz": Decimal(10**9)} | dict.fromkeys(
    ("", "s", "op/s", "files"), Decimal(1)
)
QUANTITIES = {"throughput": "rate", "rate": "operations", "elapsed": "time", "cpu_of_one_core": "CPU use"}
SHOWN = {"rate": "B/s", "size": "B", "time": "s", "share": "%", "change": "%", "count": ""}
ARITHMETIC: dict[str, Callable[[Range, Range], Range]] = {
    "×": lambda one, other: (one[0] * other[0], one[1] * other[1]),
    "÷": lambda one, other: (one[0] / other[1], one[1] / other[0]),
    "+": lambda one, other: (one[0] + other[0], one[1] + other[1]),
    "after": lambda one, other: (one[0] / other[1] - 1, one[1] / other[0] - 1),
}
LIMITS: dict[str, Callable[[Decimal, Decimal], Range]] = {
    "": lambda low, high: (low, high),
    ">=": lambda low, _: (low, INFINITE),
    ">": lambda low, _: (low.next_plus(), INFINITE),
    "<=": lambda _, high: (Decimal(0), high),
    "<": lambda _, high: (Decimal(0), high.next_minus()),
}


class Value(NamedTuple):
    """A value as printed or with its arithmetic, and the ranges that it may be in: one for each reading of its unit.

    `unit` is None if the value is implied.
    """

    text: str
    ranges: Sequence[Range]
    unit: str | None = None


def unit_size(unit: str, kilo: int) -> Decimal:
    """The base units in one unit; `kilo` is 1000 or 1024, unless the unit has an i. Raises ValueError."""
    if unit in UNITS:
        return UNITS[unit]
    ((prefix, binary, bits),) = BYTES.findall(unit)
    return Decimal(1024 if binary else kilo) ** " KMGT".index(prefix.upper() or " ") / (8 if bits == "bit" else 1)


def stated(text: str, quantity: str, about: float | Decimal = 0, rounded: bool = False) -> Value:
    """`16 GB`, `> 64 GB` or `4m42.252s` in every reading; memory is made in powers of two. Raises ValueError."""
    ((relation, minutes, digits, unit),) = VALUE.findall(text)
    digit, share = Decimal(digits.replace(",", "")), Decimal(str(about))
    exact = (
        relation
        or (about and not isinstance(about, Decimal))
        or not (rounded or quantity.partition(" of ")[0] in MEASURED)
    )
    half = Decimal(0) if exact else Decimal(1).scaleb(int(digit.as_tuple().exponent)) / 2
    number = digit + 60 * int(minutes or 0)
    sizes = dict.fromkeys(unit_size(unit, kilo) for kilo in ((1024,) if quantity == "memory" else (1000, 1024)))
    near = [((number - half) * size, (number + half) * size) for size in sizes]
    ranges = [LIMITS[relation](low - abs(low) * share, high + abs(high) * share) for low, high in near]
    return Value(text, ranges, unit)


def values(article: Article) -> dict[str, Value]:
    """What the article states and prints by its citation: `count of sdc1: 24, line 52: “24 1-GB files”`."""
    found = {}
    for entry in article.facts.get("text", {}).get("statements", []):
        quantity, names, text = entry["quantity"], entry["object"], entry["value"]
        is_number = quantity not in ("model", "access", "interface")
        more = entry.get("about", 0), entry.get("rounded", False)
        for name in [names] if isinstance(names, str) else names:
            cited = f"{quantity} of {name}: {text}, line {entry['line']}: “{entry['quote']}”"
            found[cited] = stated(text, quantity, *more) if is_number else Value(text, ())
    for figure in (figure for figure in article.figures if figure.metric in QUANTITIES):
        quantity, place = QUANTITIES[figure.metric], _place(figure)
        number = figure.printed.text.split(" ± ")[0]
        shown = number if number.endswith("s") else f"{number} {figure.unit}"
        files, size = figure.params.get("files", 0), f"{Decimal(figure.file_size or 0) / 1024**2:,f} MiB"
        cited = f"{quantity} of {figure.object}: {shown}, {place}"
        printed = stated(shown, quantity, figure.about)
        found |= {
            cited: printed._replace(ranges=printed.ranges[:1]),  # units of tables are those of the tool
            f"sd {cited}": stated(f"{figure.printed.sd or 0} {figure.unit}", "each"),
            f"files: {files:,}, {place}": stated(f"{files:,} files", "count"),
            f"file size: {size}, {place}": stated(size, "each"),
        }
    return found


def _place(figure: ArticleFigure) -> str:
    return f"{figure.table}, {figure.row}, {figure.column}"


def _meet(one: Range, other: Range) -> bool:
    return one[0] <= other[1] and other[0] <= one[1]


def _middle(each: Range) -> Decimal:
    """The value to show: the middle, or the only limit."""
    return each[1] if each[0] == 0 else each[0] if each[1] == INFINITE else (each[0] + each[1]) / 2


def say(value: Decimal | float) -> str:
    """A number for a sentence: `16,777,216`, `1.0486`."""
    number = float(value)
    return f"{number:,.0f}" if number == int(number) or abs(number) >= 1e4 else f"{number:,.4g}"


def show(quantity: str, ranges: Sequence[Range]) -> str:
    """The least and the greatest value of all readings: `80 to 85.9 MB/s` (of 1000² bytes), `6.4 %`."""
    least, greatest = (limit(map(_middle, ranges)) for limit in (min, max))
    unit = SHOWN[quantity]
    if unit.startswith("B"):
        unit = next((prefix for prefix in "TGMk" if least >= unit_size(f"{prefix}B", 1000)), "") + unit
    return (
        f"{' to '.join(dict.fromkeys(say(each / unit_size(unit, 1000)) for each in (least, greatest)))} {unit}".strip()
    )


def side(term: str, cited: Sequence[str], known: Mapping[str, Value]) -> Value:
    """The value of one side of a relation: a statement, arithmetic on several, or a limit; without its result."""
    if literal := LITERAL.search(term):
        (near, *_) = stated(literal[1], "size", Decimal("0.07")).ranges  # names of disks round capacities
        return Value(term, [(Decimal(0), _middle(near)) if "moves" in term else near])
    word, *numbers = term.split(" ")
    term = "{} × {} ÷ {} + {}".format(*numbers) if word == "most" else term
    first, *others = [
        (sign, known[f"{sd}{cited[int(number)]}"])
        for sign, sd, number in re.findall(r"(?:([×÷+]|after) )?(sd )?(\d+)", term)
    ]
    text, ranges, unit = first[1]
    if word == "room":
        return Value(f"room of {text}", [(Decimal(0), high) for _, high in ranges])
    if word == "index":
        return Value(f"number {text}, counted from 0", [(low + 1, INFINITE) for low, _ in ranges])
    for sign, other in others:
        text += f" {sign} {other.text}"
        ranges = [ARITHMETIC[sign](each, another) for each in ranges for another in other.ranges]
    if word == "most":
        return Value(f"at most {text} begun before", [(Decimal(0), high) for _, high in ranges])
    return Value(text, ranges, None if others else unit)


def compared(finding: Finding, known: Mapping[str, Value]) -> Finding:
    """The finding with the sentence and outcome of its relation. Raises KeyError for a citation of nothing."""
    cited, subject, check = finding["statements"], finding["subject"], finding["check"]
    first, sign, second = finding["relation"].partition(" is ")
    claim, *_ = [known[each] for each in cited]
    if sign:  # a percentage, of any of several wholes
        parts = [side(term, cited, known) for term in second.split("; ")]
        said = [f"{part.text} is {show('share', part.ranges[:1])}" for part in parts]
        agrees = any(_meet(*pair) for part in parts for pair in product(part.ranges, claim.ranges))
        return {**finding, "text": f"{subject}: {claim.text} is stated, and {'; '.join(said)}.", "agrees": agrees}
    one, other = (_implied(term, subject, cited, known) for term in first.split(" = "))
    if check == "cache":
        size, memory = (int(_middle(each.ranges[0])) for each in (one, other))
        judged = cache_verdict(CacheFacts(Access.READ, size, memory=memory))
        text = f"{subject.removeprefix('cache of ')}: {one.text}, {other.text} of memory: {judged.verdict.value}."
        agrees = judged.verdict is CacheVerdict.DEVICE
        return {**finding, "text": f"{text} {cache_sentence(judged)}", "agrees": agrees}
    both = list(product(one.ranges, other.ranges))
    same_unit = one.unit is not None and one.unit == other.unit and len(one.ranges) == len(other.ranges)
    agrees = any(_meet(*pair) for pair in (zip(one.ranges, other.ranges, strict=True) if same_unit else both))
    limited = any(each.ranges[0][0] == 0 or each.ranges[0][1] == INFINITE for each in (one, other))
    apart = ""
    if not agrees and (check == "faster than possible" or not (limited or check == "stated twice")):
        ratios = [_middle(each) / _middle(another) for each, another in both]
        ratio = min(ratios, key=lambda ratio: max(ratio, 1 / ratio))
        far = f"{say(ratio)} times" if ratio > 2 or ratio < Decimal("0.5") else f"{100 * (ratio - 1):+.2g} %"
        apart = f" ({far}{' in the closest reading' if len(set(ratios)) > 1 else ''})"
    return {**finding, "text": f"{subject}: {one.text} against {other.text}{apart}.", "agrees": agrees}


def _implied(term: str, subject: str, cited: Sequence[str], known: Mapping[str, Value]) -> Value:
    """The side of a relation with the result of its arithmetic."""
    value, quantity = side(term, cited, known), subject.partition(" of ")[0].replace("cache", "size")
    is_result = re.search(r"\d [×÷+] \d|^most", term)
    return value._replace(text=f"{value.text} = {show(quantity, value.ranges)}") if is_result else value


def ordered(article: Article) -> Iterator[Finding]:
    """The claims that one run is better than another, and their exceptions; `mostly` if half of the figures will do."""
    for claim in article.facts.get("text", {}).get("orders", []):
        better, than = (
            {
                (each.table, each.test, each.file_size, each.record_size, each.threads): each
                for each in article.of_run(run)
                if each.metric == claim["metric"] and each.test in claim.get("tests", [each.test])
            }
            for run in (claim["better"], claim["than"])
        )
        pairs = [(better[place], than[place]) for place in better if place in than]
        higher = METRICS[claim["metric"]].higher_is_better
        against = [pair for pair in pairs if (pair[0].printed.mean > pair[1].printed.mean) is not higher]
        named = [f"{one.row}, {one.column} {one.printed.text} against {other.printed.text}" for one, other in against]
        exceptions = f", not in {'; '.join(named)}" if named else ""
        text = (
            f"{claim['better']} is better than {claim['than']} in {len(pairs) - len(against)} of {len(pairs)} figures"
        )
        yield _finding(
            "order",
            f"order of {claim['better']} and {claim['than']}",
            f"{text}{exceptions}.",
            len(against) < len(pairs) / 2 if claim.get("mostly") else not against,
            f"{claim['better']} before {claim['than']}, line {claim['line']}: “{claim['quote']}”",
            *(f"{each.printed.text} {each.unit}, {_place(each)}" for pair in against for each in pair),
        )


def _finding(check: str, subject: str, text: str, agrees: bool, *statements: str) -> Finding:
    return {"check": check, "subject": subject, "text": text, "agrees": agrees, "statements": [*statements]}


def of_runs(article: Article) -> Iterator[Finding]:
    """Figures of tables against the output they were taken from, and times of whole runs and of their processors."""
    results = {key: document["results"] for key, document in documents(article).items()}
    for coarse, fine in article.facts.get("same", []):
        exact = {(each["test"], each["metric"]): each["summary"]["mean"] for each in results[fine] if "summary" in each}
        for figure in article.of_run(coarse):
            if (figure.test, figure.metric) in exact:
                yield _rounded(figure, coarse, exact[figure.test, figure.metric])
    for run in article.facts["runs"]:
        moved = [each for each in article.of_run(run) if each.metric == "throughput" and each.file_size]
        for whole in (each for each in article.of_run(run) if moved and (each.test, each.metric) == ("run", "elapsed")):
            total = sum((Decimal(each.file_size or 0) / each.printed.mean for each in moved), Decimal(0))
            text = (
                f"{run}: {len(moved)} tests at the speeds printed take {say(total)} s, {total / whole.printed.mean:.0%}"
            )
            text = f"{text.replace('%', ' %')} of the {whole.printed.text} s of the run."
            yield _finding("size arithmetic", f"time:{run}", text, total <= whole.printed.mean)
    for run, facts in article.facts["runs"].items():
        cpu: Any = merged(article.facts.get("environment", {}), facts.get("environment", {})).get("cpu", {})
        processors = cpu.get("threads") or cpu.get("cores")
        if (shares := _cpu_shares(article.of_run(run))) and processors:
            place = max(shares, key=lambda place: shares[place])
            text = f"{run}: user and system time are at most {say(100 * shares[place] / processors)} % of what "
            text += f"{processors} processors have in the elapsed time ({place})."
            yield _finding("CPU time", f"CPU time of {run}", text, shares[place] <= processors)


def _rounded(figure: ArticleFigure, run: str, exact: float) -> Finding:
    """Whether a figure is that of the output, rounded or cut off at the printed digits."""
    fine, printed = (Decimal(repr(exact)) / figure.printed.step).normalize(), figure.printed.text.replace(",", "")
    steps, cut = (fine.quantize(Decimal(printed), rounding) for rounding in (ROUND_HALF_UP, ROUND_DOWN))
    rounded = "" if Decimal(printed) == steps else f", which rounds to {say(steps)}"
    return _finding(
        "figures",
        f"figures:{run}:{figure.test}",
        f"{run}, {figure.test}: the table has {figure.printed.text}, the line it was taken from {fine:f}{rounded}.",
        Decimal(printed) in (steps, cut),
        f"{figure.printed.text}, {_place(figure)}",
        f"{fine:f}, printed output",
    )


def _cpu_shares(figures: Sequence[ArticleFigure]) -> dict[str, float]:
    """CPU time ÷ elapsed time of each cell; a clock of one tick counts as two, because it was anything up to that."""
    ends: dict[str, dict[str, Decimal]] = defaultdict(dict)
    for each in figures:
        half = each.printed.step / 2
        ends[_place(each)][each.metric] = each.printed.mean + (half if each.metric == "elapsed" else -half)
    return {
        place: float(max(times["user_time"] + times["system_time"], Decimal(0)) / times["elapsed"])
        for place, times in ends.items()
        if {"elapsed", "user_time", "system_time"} <= times.keys()
    }


def findings(article: Article, stored: Sequence[Finding]) -> list[Finding]:
    """These findings of an article as its data file makes them. Raises KeyError for a citation of nothing."""
    known, others = values(article), iter([*ordered(article), *of_runs(article)])
    return [
        *(
            compared(each, known)
            if "relation" in each
            else each
            if each["check"] in ("clock", "cache")
            else next(others)
            for each in stored
        ),
        *others,
    ]


def written(parts: Mapping[str, Sequence[object]]) -> str:
    """The text of a file with a list under each name, an entry in each line."""
    lists = (
        f"{json.dumps(name)}: [\n" + ",\n".join(json.dumps(each, ensure_ascii=False) for each in entries) + "\n]"
        for name, entries in parts.items()
    )
    return "{\n" + ",\n".join(lists) + "\n}\n"


def main() -> None:
    """Write the file of each article."""
    for slug in slugs():
        path = DATA / f"{slug}.json"
        parts = json.loads(path.read_text())
        path.write_text(written({**parts, "findings": findings(read(slug), parts["findings"])}))


if __name__ == "__main__":
    main()
