"""What was measured: file systems, tests, record sizes, metrics and tools in a search lead to their comparison."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import compress
from urllib.parse import urlencode

import numpy as np
from django.urls import reverse

from benchdb.compare.query.dimensions import dimension
from benchdb.facts.options import settings_value
from benchdb.http.requests import Reader
from benchdb.runs.listing.recent_campaigns import LATEST_RUNS, CampaignRun, by_campaign, campaign_of, campaign_runs
from benchdb.runs.models import Run
from benchdb.runs.quantities.columns import BoolArray, Entry, Quantities
from benchdb.runs.quantities.reading import MOST_OF_PAGE, quantities_of, smallest
from benchdb.wording.words import upper

from .found import FoundSection

MOST_GROUPS = 8  # runs of one tool in a campaign whose tests are read
LEAST_CAMPAIGNS = 3  # of the same workload that make a trend
NAMED = ("tool", "test", "metric", "record_size", "params")
_SIZE = re.compile(r"(?<!\S)(\d{1,9})\s?([kmgt])(?:i?b)?(?!\S)")
Choice = Mapping[str, Entry]  # the value of each dimension that the words name


def results(words: Sequence[str], user: Reader) -> FoundSection:
    """The comparisons, the trend and the runs that several words name together, newest first; two queries.

    Groups of runs with many results are left out, so that nobody's runs delay this.
    """
    if len(words) < 2:
        return FoundSection("Results", [])
    wanted = dict.fromkeys(_SIZE.sub(r"\1\2", " ".join(words).casefold()).split())
    runs = campaign_runs(Run.objects.listed_for(user).of_campaigns().order_by("-id")[:LATEST_RUNS], user)
    known = {run.file_system.casefold(): run.file_system for run in runs if run.file_system}
    named = [known[word] for word in wanted if word in known]
    groups = [
        group
        for group in by_campaign(runs, len(runs))
        if {run.file_system for run in group}.issuperset(named) and _results_of(group) <= MOST_OF_PAGE
    ]
    groups = sorted(groups, key=lambda group: len({run.file_system for run in group}) < 2)[:MOST_GROUPS]
    groups = [*compress(groups, smallest(map(_results_of, groups), MOST_OF_PAGE))]
    quantities = quantities_of([run.id for group in groups for run in group], sum(map(_results_of, groups)))
    chosen: dict[str, tuple[Choice, Sequence[CampaignRun]]] = {}  # the newest of each tool
    for group in groups:
        choice = _choice(quantities, _common(quantities, group, named), wanted.keys() - known.keys())
        if choice is not None and len(choice) + len(named) > 1 and (named or "test" in choice):
            chosen.setdefault(group[0].tool, (choice, group))
    lines = [_comparison(choice, group, named) for choice, group in chosen.values() if len(group) > 1]
    return FoundSection("Results", [*lines, *(_others(*next(iter(chosen.values())), named, runs) if chosen else ())])


def _results_of(group: Sequence[CampaignRun]) -> int:
    return sum(run.results for run in group)


def _common(quantities: Quantities, group: Sequence[CampaignRun], named: Sequence[str]) -> BoolArray:
    """The quantities that the named file systems of a group have in common with another one of it, if there is one."""
    ids = {name: {run.id for run in group if run.file_system == name} for name in {run.file_system for run in group}}
    masks = {
        name: sum((place.mask(len(quantities)) for place in quantities.places if not of.isdisjoint(place.runs)), none)
        for none in [~quantities.everything()]
        for name, of in ids.items()
    }
    several = np.sum([*masks.values()], axis=0) >= min(2, len(masks))
    return np.asarray(np.logical_and.reduce([several, *(masks[name] for name in named)]), dtype=bool)


def _choice(quantities: Quantities, mask: BoolArray, wanted: Collection[str]) -> Choice | None:
    """The values that the words name, with the fewest words of a name left unsaid; None if no values have all words."""
    tokens = {(name, value): _tokens(name, value) for name in NAMED for value in quantities.values(name, mask)}
    of_words = {pair: {word for word in wanted if _begins(word, known)} for pair, known in tokens.items()}
    names = [*dict.fromkeys(name for (name, _), words in of_words.items() if words)]
    possible: list[tuple[int, int, int, Choice]] = []
    for values in quantities.combinations(names, mask) if names else [()] if mask.any() else []:
        pairs = [pair for pair in zip(names, values, strict=True) if of_words[pair]]
        if set().union(*map(of_words.__getitem__, pairs)).issuperset(wanted):
            known = [token for pair in pairs for token in tokens[pair]]
            choice = {
                name: settings_value(json.loads(str(value))) if name == "params" else value for name, value in pairs
            }
            possible.append((len(set(wanted).difference(known)), len(known), len(possible), choice))
    return min(possible)[3] if possible else None


def _tokens(name: str, value: Entry) -> set[str]:
    """The words by which a search may name this value of a dimension."""
    if name == "params" or value is None:
        return {key for key, setting in json.loads(str(value or "{}")).items() if setting}
    of = dimension(name)
    joined = of.parameter(value).casefold().replace("_", "")
    said = "" if of.kind == "size" else f"{value} {of.print(value)}".casefold().replace("_", " ")
    return {*re.findall(r"[\w.+]+", said), joined, joined.replace("random", "rand")}


def _begins(word: str, tokens: Collection[str]) -> bool:
    """Whether a word is one of these or letters with which one begins, as while a reader types."""
    return word in tokens or (word.isalpha() and any(token.startswith(word) for token in tokens))


def _comparison(choice: Choice, group: Sequence[CampaignRun], named: Sequence[str]) -> dict[str, object]:
    """The comparison of these runs, of the named file systems if there are several of them."""
    campaign, several = campaign_of(group), named if len(named) > 1 else []
    names = several or dict.fromkeys([*named, *campaign.file_systems.split(", ")])
    return {
        "href": "&".join(filter(None, [campaign.href, urlencode(_pairs(choice, several))])),
        "text": f"{_what(choice)}{', '.join(names)} compared",
        "note": f"{campaign.tool}, {campaign.plan or 'campaign'} on {campaign.machines}",
        "at": campaign.started_at,
    }


def _others(
    choice: Choice, group: Sequence[CampaignRun], named: Sequence[str], runs: Sequence[CampaignRun]
) -> Iterator[dict[str, object]]:
    """The trend of the newest run on such a file system, if its workload was repeated, and the list of runs."""
    first = next(run for run in group if not named or run.file_system in named)
    workload = (first.tool, first.machine, first.file_system, first.parameters)
    same = {run.campaign for run in runs if (run.tool, run.machine, run.file_system, run.parameters) == workload}
    if len(same) >= LEAST_CAMPAIGNS and "params" not in choice:
        yield {
            "href": f"{reverse('trend')}?{urlencode([('run', first.id), *_pairs(choice)])}",
            "text": f"{_what(choice)}{first.file_system or 'unknown'} over time",
            "note": f"{first.tool} on {first.machine}",
        }
    listed = {name: choice[name] for name in ("tool", "test") if name in choice}
    yield {
        "href": f"{reverse('runs')}?{urlencode([*listed.items(), *(('file_system', name) for name in named)])}",
        "text": upper(f"{_what(listed)}all runs{' on ' if named else ''}{' or '.join(named)}"),
        "note": choice.get("tool", ""),
    }


def _what(choice: Choice) -> str:
    """`Random write, 4 KiB: `; empty if only the tool is chosen."""
    said = ", ".join(dimension(name).print(value) for name, value in choice.items() if name != "tool")
    return f"{upper(said)}: " if said else ""


def _pairs(choice: Choice, file_systems: Collection[str] = ()) -> list[tuple[str, str]]:
    """The parameters of a comparison or a trend, whose tool is known already."""
    pairs = [(name, dimension(name).parameter(value)) for name, value in choice.items() if name != "tool"]
    return [*pairs, *(("file_system", name) for name in file_systems)]
