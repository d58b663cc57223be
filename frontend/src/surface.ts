/** Pages with a surface: three figures of the same grid. window.Plotly comes from plotly.js, loaded just before. */
import { readJson } from "./json.ts";
import { parseGrid } from "./surface/grid.ts";
import { SurfaceView } from "./surface/view.ts";

for (const element of document.querySelectorAll<HTMLElement>("[data-surface]")) {
  const grid = parseGrid(readJson(document, element.dataset.surface ?? ""));
  void new SurfaceView(element, grid, window.Plotly).start();
}
