/** Pages with a surface: three figures of one grid, drawn after its table of numbers is on screen. */
import { readJson } from "./json.ts";
import { parseGrid } from "./surface/grid.ts";
import { SurfaceView } from "./surface/view.ts";

const PLOTLY = document.currentScript?.dataset.plotly ?? "";

async function start(): Promise<void> {
  await painted();
  await Promise.all([fetched(PLOTLY), loaded()]);
  for (const element of document.querySelectorAll<HTMLElement>("[data-surface]")) {
    const grid = parseGrid(readJson(document, element.dataset.surface ?? ""));
    void new SurfaceView(element, grid, window.Plotly).start();
  }
}

/** Resolves after the next frame; before it, parsing a large script would delay the content that is already there. */
function painted(): Promise<void> {
  return new Promise((done) => { requestAnimationFrame(() => { setTimeout(done); }); });
}

/** Loads window.Plotly; shows a message in place of the figures on failure. */
function fetched(address: string): Promise<void> {
  return new Promise((done, failed) => {
    const script = Object.assign(document.createElement("script"), { src: address });
    script.addEventListener("load", () => { done(); });
    script.addEventListener("error", () => {
      for (const plot of document.querySelectorAll(".plot")) {
        plot.textContent = "This figure could not be loaded. Load the page again; the table below holds the same numbers.";
      }
      failed(new Error(`${address} did not load`));
    });
    document.head.append(script);
  });
}

/**
 * Resolves when the page is loaded. Until then the browser animates a spinner on its tab, and without a GPU each of the
 * many replies that Plotly waits for while it compiles shaders waits for a frame of that spinner.
 */
function loaded(): Promise<void> {
  return new Promise((done) => {
    if (document.readyState === "complete") done();
    else window.addEventListener("load", () => { setTimeout(done); });
  });
}

void start();
