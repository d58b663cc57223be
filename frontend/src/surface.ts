/** Pages with a surface: three figures of the same grid. window.Plotly comes from plotly.js, loaded just before. */
import { readJson } from "./json.ts";
import { parseGrid } from "./surface/grid.ts";
import { SurfaceView } from "./surface/view.ts";

function start(): void {
  for (const element of document.querySelectorAll<HTMLElement>("[data-surface]")) {
    const grid = parseGrid(readJson(document, element.dataset.surface ?? ""));
    void new SurfaceView(element, grid, window.Plotly).start();
  }
}

// Once the page is loaded: until then the browser turns a wheel on its tab, and where there is no GPU each of the many
// answers that Plotly waits for while it makes its shaders waits for a frame of that wheel.
window.addEventListener("load", () => { setTimeout(start); });
