"""Files that are not outputs: the refusal names their kind."""

import re

import pytest

from benchagent.formats import FormatError, parse
from benchagent.formats.model import Result
from benchagent.formats.reading.latency_figures import LEAST_BEYOND, SHARES, has_enough_beyond
from benchdb.stats.distributions import percentiles
from tests.agents.formats.corpus import CORPUS, corpus_files
from tests.agents.formats.texts import GOLDEN

FFSB = "time=10\n[filesystem0]\n\tlocation=/mnt\n\tnum_dirs=1\n[end0]\n[threadgroup0]\n\tnum_threads=4\n[end0]\n"
WML = 'set $dir=/mnt\ndefine fileset name="f",entries=10\ndefine process name=p,instances=1 {\n}\nrun 10\n'


@pytest.mark.parametrize(
    ("text", "what"),
    [
        (FFSB, "an FFSB profile, not its output"),
        (WML, "a Filebench workload definition, not its output"),
        ("#!/bin/bash\n./geriatrix -n 5\n", "a script that runs something, not its output"),
        ("2\n8 1\n32 7\n\nFormat:\nsize weight\n", "a distribution that Geriatrix ages by, not its output"),
        ("SIZE FRACTION TYPE\n8 0.004348 IDEAL\n", "how well Geriatrix met a distribution"),
        ("[global]\nioengine=libaio\n[job]\nrw=randread\n", "a fio job file, not its output"),
        ("set number 500\nset location /mnt\nrun\n", "PostMark's settings, not its output"),
        ("0.001 NTCreateX \"\\a\" 0x1 0x2 5 SUCCESS\n0.002 Close 5 SUCCESS\n", "the load of dbench, not its output"),
        ("<!DOCTYPE html>\n<html><body>hello</body></html>\n", "an HTML page"),
        ("  \n\n", "an empty text"),
        ("", "an empty text"),
        ("PK\x03\x04\x14\x00", "a zip archive"),
    ],
)  # fmt: skip
def test_it_says_what_it_is(text: str, what: str) -> None:
    with pytest.raises(FormatError) as refused:
        parse(text)
    assert what in refused.value.message


def test_of_others_nothing_is_said() -> None:
    with pytest.raises(FormatError, match="no supported tool printed this"):
        parse("hello\n")


@pytest.mark.parametrize("path", corpus_files("ffsb", "filebench", "geriatrix"))
def test_definitions_of_the_corpus(path) -> None:
    name = path.relative_to(CORPUS).as_posix()
    definition = any(word in name for word in ("prof", "config", ".sh", "_distribution")) or (
        path.suffix == ".f" and "FlexClone" not in name
    )
    if definition:
        with pytest.raises(FormatError, match="not its output"):
            parse(path.read_bytes())


def test_the_rule_is_that_of_the_server() -> None:
    assert LEAST_BEYOND == percentiles.LEAST_BEYOND
    assert [has_enough_beyond(0.999, operations) for operations in (9_999, 10_000)] == [False, True]


def test_every_percentile_of_fio_has_ten_slower_operations() -> None:
    """The number of operations is that of the rate and the time of the same work."""
    texts = [path.read_bytes() for path in GOLDEN.glob("fio-*.json")]
    figures = {(text, work_of(result), result.metric): result for text in texts for result in parse(text).results}
    shares = [
        (SHARES[metric], rate.values[0] * figures[text, work, "elapsed"].values[0])
        for text, work, metric in figures
        if metric in SHARES and (rate := figures.get((text, work, "rate"))) and rate.values[0]
    ]
    assert len(shares) > 5
    assert all(has_enough_beyond(share, 1.01 * operations) for share, operations in shares)


def work_of(result: Result) -> tuple[object, ...]:
    params = {name: value for name, value in result.params.items() if name not in ("latency", "percentile")}
    return result.test, result.file_size, result.record_size, result.threads, str(params)


def test_events_of_sysbench_are_counted() -> None:
    text = (GOLDEN / "sysbench-fileio.txt").read_text()
    few = re.sub(r"(total number of events: +)\d+", r"\g<1>199", text)
    metrics = [{result.metric for result in parse(each).results} for each in (text, few)]
    assert metrics[0] - metrics[1] == {"latency_p95", "latency_p99"}
