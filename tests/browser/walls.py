"""Limits for every page. Each check returns its faults as lines that name the element."""

import gzip
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache, cached_property, lru_cache
from typing import Any
from urllib.parse import urlsplit

from playwright.sync_api import ConsoleMessage, Error, Page, Request, Response, TimeoutError

from benchdb.embedded.config import PROJECT

PLAIN_BYTES, CHART_BYTES = 300_000, 900_000
PLAIN_REQUESTS, CHART_REQUESTS = 8, 12
SHOWN = 2  # elements of one fault
# All rules, also axe's best practices beyond WCAG: landmarks, headings in order, one main.
ALL_RULES: dict[str, Any] = {"resultTypes": ["violations"], "elementRef": False}
COLOURS: dict[str, Any] = {**ALL_RULES, "runOnly": {"type": "rule", "values": ["color-contrast", "link-in-text-block"]}}
NO_COLOURS: dict[str, Any] = {**ALL_RULES, "rules": {"color-contrast": {"enabled": False}}}


@cache
def _axe_source() -> str:
    source = PROJECT / "frontend" / "node_modules" / "axe-core" / "axe.min.js"
    assert source.exists(), "axe-core is not installed: frontend/npm ci"
    return source.read_text()


def violations(page: Page, options: dict[str, Any] = ALL_RULES) -> list[str]:
    """The faults that axe-core finds in the present page: `rule: element: remedy`."""
    _bring_axe(page)
    return _reported(page.evaluate("options => axe.run(document, options)", options))


def _bring_axe(page: Page) -> None:
    if page.evaluate("() => 'axe' in window"):
        return
    devtools = page.context.new_cdp_session(page)
    # Not by Playwright's `evaluate`, for which Chromium compiles all of axe anew on each page.
    devtools.send("Runtime.evaluate", {"expression": _axe_source(), "silent": True})
    devtools.detach()


def _reported(report: dict[str, Any]) -> list[str]:
    return [_violation(rule, node) for rule in report["violations"] for node in rule["nodes"][:SHOWN]]


# The kinds of visible text: two texts are of one kind if all is the same from which axe-core computes a contrast:
# colours, backgrounds, opacity and size of the text, of all elements around it, and, for a link, whether there is text
# beside it. Text in a box with something positioned may lie on that, so it is of a kind of its own.
_KINDS_OF_TEXT = """() => {
  const mix = (text, seed) => {
    let [a, b] = [0xdeadbeef ^ seed, 0x41c6ce57 ^ (seed / 4294967296)];
    for (let i = 0; i < text.length; i++) {
      a = Math.imul(a ^ text.charCodeAt(i), 2654435761);
      b = Math.imul(b ^ text.charCodeAt(i), 1597334677);
    }
    a = Math.imul(a ^ (a >>> 16), 2246822507) ^ Math.imul(b ^ (b >>> 13), 3266489909);
    b = Math.imul(b ^ (b >>> 16), 2246822507) ^ Math.imul(a ^ (a >>> 13), 3266489909);
    return 4294967296 * (2097151 & b) + (a >>> 0);
  };
  const kinds = (window.kindsOfText = new Map());
  const says = (each) => each.matches("input, select, textarea") ||
    [...each.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.data.trim());
  const walk = (each, above, own) => {
    const style = getComputedStyle(each);
    if (style.display === "none") return;
    const around = each.localName === "a" && each.parentElement.textContent.trim() !== each.textContent.trim();
    const here = mix([each.localName, each.className, style.color, style.backgroundColor, style.backgroundImage,
      style.opacity, style.fontSize, style.fontWeight, style.textShadow, style.filter, style.textDecorationLine,
      style.visibility, each.disabled, around].join("|"), above);
    const children = [...each.children];
    const alone = own || each.localName === "svg" || (each !== document.body &&
      children.some((child) => ["absolute", "sticky", "fixed"].includes(getComputedStyle(child).position)));
    if (says(each)) {
      const kind = alone ? `own ${kinds.size}` : `${here}`;
      kinds.set(kind, [...(kinds.get(kind) ?? []), each]);
    }
    for (const child of children) walk(child, here, alone);
  };
  walk(document.body, mix(getComputedStyle(document.documentElement).backgroundColor, 0), false);
  return [...kinds.keys()];
}"""
_AXE_ON_KINDS = """([kinds, options]) => {
  const texts = new Set(kinds.flatMap((kind) => [kindsOfText.get(kind)[0], kindsOfText.get(kind).at(-1)]));
  return axe.run({ include: [...texts] }, options);
}"""


def contrast_faults(page: Page, known: set[str]) -> list[str]:
    """The faults of colours, of all kinds of text that are not `known` to have none; these are added to it."""
    _bring_axe(page)
    kinds = [kind for kind in page.evaluate(_KINDS_OF_TEXT) if kind not in known]
    if not kinds:
        return []
    faults = _reported(page.evaluate(_AXE_ON_KINDS, [kinds, COLOURS]))
    if not faults:
        known.update(kind for kind in kinds if not kind.startswith("own"))
    return faults


def _violation(rule: dict[str, Any], node: dict[str, Any]) -> str:
    more = f" ({len(rule['nodes'])} like it)" if len(rule["nodes"]) > 1 else ""
    where, why = " ".join(map(str, node["target"])), " ".join(node["failureSummary"].split())
    return f"{rule['id']}{more}: {where}: {why}: {node['html'][:160]}"


# The innermost elements that extend beyond the right edge and are not inside a scrolling element.
_WIDE = """() => {
  const root = document.documentElement;
  const wide = root.scrollWidth - root.clientWidth;
  if (wide <= 0) return [];
  const over = [...document.body.querySelectorAll("*")].filter((each) => {
    const box = each.getBoundingClientRect();
    if (box.width === 0 || box.right + scrollX <= root.clientWidth + 0.5) return false;
    for (let up = each.parentElement; up && up !== document.body; up = up.parentElement)
      if (getComputedStyle(up).overflowX !== "visible") return false;
    return true;
  });
  const inner = over.filter((each) => !over.some((other) => other !== each && each.contains(other)));
  return (inner.length ? inner : [document.body]).slice(0, 5).map((each) =>
    `${wide} px too wide: ${each.outerHTML.slice(0, 160).replace(/\\s+/g, " ")}`);
}"""


_FITS = "() => document.documentElement.scrollWidth <= document.documentElement.clientWidth"


def overflowing(page: Page) -> list[str]:
    """The elements that make the page wider than its window, after charts have adapted to the window."""
    with suppress(TimeoutError):
        page.wait_for_function(_FITS, timeout=20_000)
    faults: list[str] = page.evaluate(_WIDE)
    return faults


# Faults for readers without scripts: forms that cannot be sent, buttons and links that do nothing.
_DEAD = """() => {
  const shown = (each) => each.checkVisibility({ visibilityProperty: true });
  const said = (what, each) => `${what}: ${each.outerHTML.slice(0, 160).replace(/\\s+/g, " ")}`;
  const sends = (each) => each.form && each.type !== "button" && each.type !== "reset";
  const faults = [];
  for (const each of document.querySelectorAll(".with-js"))
    if (shown(each)) faults.push(said("shown without scripts", each));
  for (const form of document.forms) {
    const seen = [...form.elements].filter(shown);
    const asks = seen.some((each) => each.matches("input:not([type=hidden]), select, textarea"));
    const submits = seen.some((each) => each.matches("button, input[type=submit]") && sends(each));
    if (asks && !submits) faults.push(said("no button sends this form", form));
  }
  for (const button of document.querySelectorAll("button"))
    if (shown(button) && !sends(button) && !button.popoverTargetElement && button.type !== "reset")
      faults.push(said("a button that does nothing", button));
  for (const link of document.querySelectorAll("a[href]"))
    if (/^javascript:|^#$/.test(link.getAttribute("href"))) faults.push(said("a link that leads nowhere", link));
  for (const link of document.querySelectorAll("a[href^='#']")) {
    const id = decodeURIComponent(link.getAttribute("href").slice(1)); // a link inside SVG has no `hash`
    if (id && !document.getElementById(id))
      faults.push(said("a link to what is not on the page", link));
  }
  return faults;
}"""


def dead_without_scripts(page: Page) -> list[str]:
    """The visible elements that do nothing without scripts."""
    faults: list[str] = page.evaluate(_DEAD)
    return faults


# The stops of Tab at which the focus does not show (an outline, a shadow or a border only while focused), or that have
# no size. A focus by script shows like one by Tab, if Tab was the last key.
_FOCUS = """() => {
  const look = (each) => {
    const { outline, outlineStyle, outlineWidth, boxShadow, borderColor, backgroundColor } = getComputedStyle(each);
    const ring = outlineStyle !== "none" && outlineWidth !== "0px" ? outline : "";
    return [ring, boxShadow, borderColor, backgroundColor].join("|");
  };
  const faults = [];
  for (const each of [...document.querySelectorAll("a[href], button, input, select, textarea, summary, [tabindex]")]) {
    if (each.tabIndex < 0 || each.disabled || !each.checkVisibility({ visibilityProperty: true })) continue;
    const plain = look(each);
    each.focus({ preventScroll: true });
    if (document.activeElement !== each) continue;
    const box = each.getBoundingClientRect();
    const said = each.outerHTML.slice(0, 160).replace(/\\s+/g, " ");
    if (look(each) === plain && !each.matches("iframe")) faults.push(`the focus does not show: ${said}`);
    if (box.width * box.height < 1) faults.push(`the focus is on something without size: ${said}`);
    each.blur();
  }
  return faults.slice(0, 5);
}"""
_STOP = """() => {
  const at = document.activeElement;
  return at === document.body ? null : [...document.querySelectorAll("*")].indexOf(at);
}"""


def keyboard_faults(page: Page) -> list[str]:
    """The faults of moving by Tab from the top: invisible focus, elements without size, traps."""
    page.evaluate("() => { document.activeElement?.blur(); window.scrollTo(0, 0) }")
    stops = []
    for _ in range(3):
        page.keyboard.press("Tab")
        stops.append(page.evaluate(_STOP))
    if stops[0] is None:
        return ["Tab reaches nothing"]
    trapped = [] if len(set(stops)) == len(stops) else [f"Tab is trapped: {stops}"]
    return [*trapped, *page.evaluate(_FOCUS)]


# The stops of Tab after the masthead, in the order of the document.
_STOPS = """() => {
  const all = [...document.querySelectorAll("a[href], button, input, select, textarea, summary, [tabindex]")];
  const shown = (each) => each.checkVisibility({ visibilityProperty: true }) && each.getBoundingClientRect().width > 1;
  return all.filter((each) =>
    each.tabIndex >= 0 && !each.disabled && shown(each) && !each.closest(".masthead, .skip, .tray"));
}"""

# Tab follows the reading order: down a column, along a line, then to the top of the next column. Elements that stick to
# the window's edge may be anywhere, and elements in a scrolling box count as no lower than the end of the box.
_ORDER = """(stops) => {
  const said = (each) => each.outerHTML.slice(0, 120).replace(/\\s+/g, " ");
  const sticks = (each) => each && (getComputedStyle(each).position === "sticky" || sticks(each.parentElement));
  const box = (each) => {
    const { left, right, top, bottom } = each.getBoundingClientRect();
    const end = each.closest(".scroll")?.getBoundingClientRect().bottom ?? Infinity;
    return { left, right, top: Math.min(top, end), bottom: Math.min(bottom, end) };
  };
  const faults = stops.filter((each) => each.tabIndex > 0).map((each) => `an order of its own: ${said(each)}`);
  const still = stops.filter((each) => !each.closest("td, th") && !sticks(each));
  for (let i = 1; i < still.length; i++) {
    const [before, here] = [box(still[i - 1]), box(still[i])];
    const back = here.right <= before.left + 1, up = here.bottom <= before.top + 1;
    const beside = !up && here.top < before.bottom - 1;
    if ((beside && back && here.bottom < before.bottom + 1) || (up && here.left < before.right - 1))
      faults.push(`Tab goes back: from ${said(still[i - 1])} to ${said(still[i])}`);
  }
  return faults.slice(0, 5);
}"""


def order_faults(page: Page) -> list[str]:
    """The stops at which Tab visibly jumps backwards, after the masthead and outside of tables."""
    faults: list[str] = page.evaluate(f"() => ({_ORDER})(({_STOPS})())")
    return faults


_NUMBER = f"() => ({_STOPS})().forEach((each, place) => {{ each.dataset.stop = place }})"
_FOCUSED = """() => {
  const at = document.activeElement;
  return at === document.body || at.closest(".masthead, .skip, .panel") ? null : at.dataset.stop ?? at.outerHTML;
}"""


def reached(page: Page, presses: int) -> list[str]:
    """The stops of Tab after the masthead, by number in the document; the panel of a number follows it directly."""
    page.evaluate(_NUMBER)
    stops = []
    for _ in range(presses):
        page.keyboard.press("Tab")
        if at := page.evaluate(_FOCUSED):
            stops.append(at)
    return stops


@dataclass
class Loaded:
    """The requests of a page and its problems, recorded from the creation of this object on."""

    page: Page
    home: str
    status: int
    requests: list[Request] = field(default_factory=list)
    responses: list[Response] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        for event, listener in self._listeners.items():
            self.page.on(event, listener)  # type: ignore[call-overload]

    def end(self) -> None:
        """Record nothing more: the window goes on to another page."""
        for event, listener in self._listeners.items():
            self.page.remove_listener(event, listener)

    @cached_property
    def _listeners(self) -> dict[str, Callable[[Any], None]]:
        return {
            "request": lambda request: self.requests.append(request),
            "response": lambda response: self.responses.append(response),
            "console": self._console,
            "pageerror": lambda error: self.problems.append(f"script: {error}"),
        }

    def _console(self, said: ConsoleMessage) -> None:
        if said.type == "error":
            self.problems.append(f"console: {said.text}")

    def faults(self, address: str) -> list[str]:
        """Console errors (a breach of the content security policy is one), other statuses, other hosts."""
        # The browser also reports a page with an error status on its console.
        console = [
            problem for problem in self.problems if not (self.status >= 400 and f"status of {self.status} " in problem)
        ]
        other = [
            f"{answer.status} instead of {wanted}: {answer.url}"
            for answer in self.responses
            if answer.status != (wanted := self.status if _same(answer.url, address) else answer.status)
            or (answer.status >= 400 and not _same(answer.url, address))
        ]
        foreign = [
            f"from another host: {request.url}"
            for request in self.requests
            if not request.url.startswith((self.home, "data:", "blob:"))
        ]
        return console + other + foreign

    def size(self) -> tuple[int, int]:
        """The number of requests over the network, and their bytes when compressed as in operation."""
        responses = [response for response in self.responses if response.url.startswith(self.home)]
        return len(responses), sum(_compressed(response) for response in responses)


def over_budget(loaded: Loaded, chart: bool) -> list[str]:
    """The faults of a page with more bytes or requests than its kind may have."""
    requests, size = loaded.size()
    most_requests, most_bytes = (CHART_REQUESTS, CHART_BYTES) if chart else (PLAIN_REQUESTS, PLAIN_BYTES)
    faults = [f"{size} bytes compressed, {most_bytes} are allowed"] if size > most_bytes else []
    if requests > most_requests:
        paths = ", ".join(urlsplit(response.url).path for response in loaded.responses)
        faults.append(f"{requests} requests, {most_requests} are allowed: {paths}")
    return faults


def _same(url: str, address: str) -> bool:
    return url.split("#")[0] == address.split("#")[0]


def _compressed(answer: Response) -> int:
    try:
        return _gzipped(answer.body())
    except Error:  # a redirect has no body
        return 0


@lru_cache(maxsize=32)  # most of a page's bytes are files that all pages have
def _gzipped(body: bytes) -> int:
    return len(gzip.compress(body, 6))
