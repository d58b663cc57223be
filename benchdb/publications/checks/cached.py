"""The cache verdict of a stated workload whose size no result has."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from benchdb.publications.article_facts import StatementFacts
from benchdb.stats import Access, CacheFacts, CacheVerdict, cache_sentence, cache_verdict

from .finding import CACHE, ArticleFinding
from .known import Known
from .statements import cited, objects_of


def cached(entries: Sequence[StatementFacts], known: Sequence[Known]) -> Iterator[ArticleFinding]:
    """A finding for each object with an `access`, a memory and a size; the size may be implied."""
    for entry in entries:
        if entry["quantity"] != "access":
            continue
        for name in objects_of(entry):
            memory = next(each for each in known if (each.object, each.quantity) == (name, "memory"))
            size = next(each for each in known if (each.object, each.quantity) == (name, "size") and not each.is_limit)
            facts = CacheFacts(Access(entry["value"]), int(size.value), memory=int(memory.value))
            judged = cache_verdict(facts)
            text = f"{name}: {size.text}, {memory.text} of memory: {judged.verdict.value}. {cache_sentence(judged)}"
            used = (cited(entry, name), *size.used, *memory.used)
            yield ArticleFinding(CACHE, f"cache of {name}", text, judged.verdict is CacheVerdict.DEVICE, used)
