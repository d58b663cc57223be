"""Feeds as a feed reader has them, after the rules of RFC 4287 and RFC 6721 that a lenient reader would not miss."""

from typing import Any
from urllib.parse import urlsplit
from xml.etree.ElementTree import Element, fromstring

import feedparser
from django.http import HttpResponse
from django.test import Client
from django.utils.dateparse import parse_datetime

ATOM = "{http://www.w3.org/2005/Atom}"
GONE = "{http://purl.org/atompub/tombstones/1.0}deleted-entry"
ONCE = ("id", "title", "updated")


def feed(client: Client, path: str) -> Any:
    """The feed at this path, as feedparser reads it; `gone` has the reasons of removals by id."""
    answer = client.get(path)
    assert answer.status_code == 200, answer.content
    assert answer["Content-Type"] == "application/atom+xml; charset=utf-8"
    gone = checked(answer)
    parsed = feedparser.parse(answer.content)
    assert not parsed.bozo, parsed.get("bozo_exception")
    assert parsed.version == "atom10"
    parsed["gone"] = gone
    return parsed


def checked(answer: HttpResponse) -> dict[str, str]:
    """The reasons of the removals, once every rule is met."""
    root = fromstring(answer.content)
    assert root.tag == f"{ATOM}feed"
    assert [child.tag for child in root].count(f"{ATOM}author") == 1
    entries = root.findall(f"{ATOM}entry")
    for element in (root, *entries):
        assert all(len(element.findall(ATOM + name)) == 1 for name in ONCE)
        assert urlsplit(element.findtext(f"{ATOM}id")).scheme in ("urn", "http")
        assert _time(element.findtext(f"{ATOM}updated"))
        links = [(link.get("rel"), link.get("type")) for link in element.findall(f"{ATOM}link")]
        assert len(links) == len(set(links))
        assert ("alternate", None) in links
        assert all(urlsplit(link.get("href")).scheme == "http" for link in element.findall(f"{ATOM}link"))
    removals = root.findall(GONE)
    ids = [entry.findtext(f"{ATOM}id") for entry in entries] + [removal.get("ref") for removal in removals]
    assert len(ids) == len(set(ids))
    assert all(_time(removal.get("when")) for removal in removals)
    return {str(removal.get("ref")): _comment(removal) for removal in removals}


def _time(text: str | None) -> bool:
    time = parse_datetime(text or "")
    return time is not None and time.tzinfo is not None and "T" in str(text)


def _comment(removal: Element) -> str:
    [comment] = removal
    return str(comment.text)
