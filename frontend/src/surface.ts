/** Pages with a surface: three figures of the same grid, drawn once the table of its numbers is on screen. */
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

/** After the next frame: before it, reading a large script would keep what is there already off the screen. */
function painted(): Promise<void> {
  return new Promise((done) => { requestAnimationFrame(() => { setTimeout(done); }); });
}

/** Loads window.Plotly; says in the figures' place that it did not come. */
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
 * When the page is loaded: until then the browser turns a wheel on its tab, and where there is no GPU each of the many
 * answers that Plotly waits for while it makes its shaders waits for a frame of that wheel.
 */
function loaded(): Promise<void> {
  return new Promise((done) => {
    if (document.readyState === "complete") done();
    else window.addEventListener("load", () => { setTimeout(done); });
  });
}

void start();
