"""How soon a surface answers, and what script a frame costs while a reader turns it, traced in headless Chromium."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from statistics import median
from typing import Any

from playwright.sync_api import CDPSession, Page

FRAMES = 60
# What runs script on the page's thread; nested ones are counted once.
SCRIPT = {"FireAnimationFrame", "EventDispatch", "FunctionCall", "TimerFire"}
SOLID = "[data-plot=solid]"
INTERACTIVE = """() => new Promise((done) => {
  const look = () => document.querySelector(".js-plotly-plot[data-plot=solid] canvas")
    ? requestAnimationFrame(() => done(performance.now())) : setTimeout(look, 10);
  look();
})"""
FRAME = "() => new Promise(requestAnimationFrame)"


@dataclass(frozen=True)
class Turning:
    """Milliseconds: from the request until the surface is drawn and turns, and of script in a frame of turning."""

    interactive: float
    frame_median: float
    frame_worst: float
    frames: int


def measure(page: Page, address: str) -> Turning:
    """Open a page with a surface and turn it with the mouse, a step a frame."""
    page.goto(address, wait_until="commit")
    interactive = page.evaluate(INTERACTIVE)
    page.wait_for_function("() => document.querySelector('[data-plot=slice] .point')")
    events = _traced(page, page.context.new_cdp_session(page))
    frames = _frames(events)
    return Turning(interactive, median(frames), max(frames), len(frames))


def _traced(page: Page, session: CDPSession) -> list[dict[str, Any]]:
    """The trace of a drag of FRAMES steps."""
    events: list[dict[str, Any]] = []
    complete: list[object] = []
    session.on("Tracing.dataCollected", lambda part: events.extend(part["value"]))
    session.on("Tracing.tracingComplete", lambda said: complete.append(said))
    box = page.locator(SOLID).first.bounding_box()
    assert box, "the surface is not shown"
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    categories = {"includedCategories": ["devtools.timeline"]}
    session.send("Tracing.start", {"transferMode": "ReportEvents", "traceConfig": categories})
    for step in range(FRAMES):
        page.mouse.move(x + 2 * step, y + step % 9)
        page.evaluate(FRAME)
    session.send("Tracing.end")
    page.mouse.up()
    while not complete:
        page.wait_for_timeout(20)  # lets Playwright hand over what has arrived
    return events


def _frames(events: list[dict[str, Any]]) -> list[float]:
    """Milliseconds of script from one animation frame of the page to the next."""
    ends = [event for event in events if event.get("ph") == "X" and event["name"] in SCRIPT]
    threads = Counter((event["pid"], event["tid"]) for event in ends if event["name"] == "FireAnimationFrame")
    (page_thread, _), *_ = threads.most_common(1)
    found, until = [0.0], 0
    for event in sorted(ends, key=lambda each: each["ts"]):
        if (event["pid"], event["tid"]) != page_thread or event["ts"] < until:
            continue
        until = event["ts"] + event["dur"]
        if event["name"] == "FireAnimationFrame":
            found.append(0.0)
        # Time on the processor: what other processes take meanwhile is not the page's.
        found[-1] += event.get("tdur", event["dur"]) / 1000
    return [each for each in found if each > 0.05]  # frames in which nothing moved
