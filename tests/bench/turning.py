"""Times until a surface responds, and of a frame of rotation and its script, in headless Chromium.

The script's time is the processor time of the page's thread (`Performance.getMetrics` in thread ticks), which excludes
other processes and, without a GPU, the drawing of WebGL.
"""

from dataclasses import dataclass
from statistics import median
from time import monotonic

from playwright.sync_api import CDPSession, Page

FRAMES = 60
FEWEST = 5  # the smallest number of frames for a result
MOST_SECONDS = 30.0  # of rotation: without a GPU 100 x 100 cells take three seconds to draw
SOLID = "[data-plot=solid]"
DRAWN_MS, FRAME_MS = 60_000, 10_000
# Reading back a pixel waits for all earlier drawing.
DRAWN = """() => {
  for (const canvas of document.querySelectorAll("[data-plot=solid] canvas")) {
    const gl = canvas.getContext("webgl") ?? canvas.getContext("webgl2");
    gl?.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array(4));
  }
}"""
# The time when the surface is drawn and responds, in milliseconds since the request; None if it never does. The slice
# comes last, and the page listens from then on.
INTERACTIVE = """(most) => new Promise((done) => {
  const drawn = DRAWN;
  const look = () => {
    const solid = document.querySelector(".js-plotly-plot[data-plot=solid]:has(canvas)");
    if (solid && document.querySelector("[data-plot=slice] .point")) {
      requestAnimationFrame(() => requestAnimationFrame(() => { drawn(); done(performance.now()); }));
    } else if (performance.now() > most) done(null);
    else setTimeout(look, 10);
  };
  look();
})""".replace("DRAWN", DRAWN)
# Whether the browser drew a frame.
FRAME = """(most) => new Promise((done) => {
  setTimeout(() => done(false), most);
  requestAnimationFrame(() => done(true));
})"""


class NotTurning(Exception):
    """The page has no surface that can be rotated; the message names what is missing."""


@dataclass(frozen=True)
class Turning:
    """Milliseconds: from the request until the surface can be rotated, of a frame of rotation, of script in a frame."""

    interactive: float
    frame: float
    script_median: float
    script_worst: float
    frames: int


def measure(page: Page, address: str, most: int = FRAMES) -> Turning:
    """Open a page with a surface and rotate it with the mouse, one step a frame, at most so many; raises NotTurning."""
    page.goto(address, wait_until="commit")
    interactive = page.evaluate(INTERACTIVE, DRAWN_MS)
    if interactive is None:
        raise NotTurning(f"{address} drew no surface within {DRAWN_MS / 1000:.0f} s")
    frame, scripts = _turned(page, most)
    return Turning(interactive, frame, median(scripts), max(scripts), len(scripts))


def _turned(page: Page, most: int) -> tuple[float, list[float]]:
    """Milliseconds of a frame of a drag over the first surface, and of the script in each."""
    session = page.context.new_cdp_session(page)
    session.send("Performance.enable", {"timeDomain": "threadTicks"})
    page.locator(SOLID).first.scroll_into_view_if_needed()
    box = page.locator(SOLID).first.bounding_box()
    if not box:
        raise NotTurning(f"{page.url}: the surface is not shown")
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.evaluate(FRAME, FRAME_MS)
    page.evaluate(DRAWN)
    before, camera = _script(session), _camera(page)
    frames: list[float] = []
    begin = monotonic()
    while len(frames) < most and monotonic() < begin + MOST_SECONDS:
        page.mouse.move(x + 2 * len(frames), y + len(frames) % 9)
        if not page.evaluate(FRAME, FRAME_MS):
            raise NotTurning(f"{page.url}: no frame was drawn within {FRAME_MS / 1000:.0f} s")
        after = _script(session)
        frames.append(after - before)
        before = after
    page.evaluate(DRAWN)
    frame = 1000 * (monotonic() - begin) / max(1, len(frames))
    page.mouse.up()
    if len(frames) < FEWEST:
        raise NotTurning(f"{page.url}: only {len(frames)} frames in {MOST_SECONDS:.0f} s; it draws too slowly")
    if _camera(page) == camera:
        raise NotTurning(f"{page.url}: dragging did not turn the surface")
    return frame, frames


def _script(session: CDPSession) -> float:
    """Milliseconds of processor time that the page's script has taken so far."""
    metrics = session.send("Performance.getMetrics")["metrics"]
    return 1000 * float(next(each["value"] for each in metrics if each["name"] == "ScriptDuration"))


def _camera(page: Page) -> str:
    """The position of the surface's camera."""
    return str(page.evaluate("() => JSON.stringify(document.querySelector('[data-plot=solid]').layout.scene.camera)"))
