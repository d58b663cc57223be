"""A legend leads to the glossary; tests/web/test_every_page.py has the links of all pages."""

from __future__ import annotations

from django.template.loader import render_to_string

from tests.support.html import parse


def test_the_marks_of_a_legend_lead_to_the_glossary() -> None:
    everything = {
        "factor": "file system",
        "judged": True,
        "margin": "5",
        "level": "0.05",
        "correction": "Holm",
        "statistic": None,
        "best": True,
        "tails": True,
        "ram": True,
        "clk": True,
        "warned": True,
        "strips": True,
        "centred": "ext4",
        "equal": True,
    }
    links = parse(render_to_string("compare/legend.html", {"legend": everything})).links

    assert links == {
        word: f"/docs/glossary/#{anchor}"
        for word, anchor in {
            "rounds": "round",
            "better and worse": "better-worse",
            "baseline": "baseline",
            "equal within 5 %": "equal-within-the-margin",
            "no difference shown": "undecided",
            "Intervals": "interval",
            "better than all others": "best",
            "p99.9\u00a0▼": "tail",
            "RAM": "ram",
            "CLK": "clk",
        }.items()
    }
