/** The slice of all surfaces at one record size. */
import type { Data } from "plotly.js";
import type { Theme } from "../theme.ts";
import { columnHoverTexts, type Figure, log2, sliceLayout, valueAxis, valueTitle } from "./figure.ts";
import { columnOf, type Grid, highest, type Place, type Surface } from "./grid.ts";

export function surfaceOf(grid: Grid, of: number): Surface {
  const surface = grid.surfaces[of];
  if (!surface) throw new Error(`There is no surface ${of}`);
  return surface;
}

/** The mark of each colour, the same as on pages and in files (benchdb/exports/drawing/style.py). */
const SYMBOLS = ["circle", "square", "diamond", "x", "cross", "hexagon", "star"] as const;

/** Value ± spread over the file size at the chosen record size, one line for each surface. */
export function sliceFigure(grid: Grid, theme: Theme, { column }: Place): Figure {
  return {
    data: grid.surfaces.map((surface) => sliceLine(grid, surface, theme, column)),
    layout: {
      ...sliceLayout(grid, theme),
      // The same scale for every record size, so that slices are comparable; with room for the longest whisker.
      yaxis: { ...valueAxis(valueTitle(grid), theme), range: [0, highest(grid) * 1.08] },
      showlegend: grid.surfaces.length > 1,
      legend: { orientation: "h", x: 1, xanchor: "right", y: 1.1, yanchor: "bottom" },
    },
  };
}

function sliceLine(grid: Grid, surface: Surface, theme: Theme, column: number): Data {
  const color = theme.series[surface.colour - 1] ?? theme.ink;
  const spread = columnOf(surface.spread, column).map((sd) => sd ?? 0);
  return {
    type: "scatter",
    mode: "lines+markers",
    x: log2(grid.file_sizes),
    y: columnOf(surface.value, column) as number[], // Plotly draws null as a gap
    error_y: { type: "data", array: spread, thickness: 1, width: 3, color, visible: spread.some((sd) => sd > 0) },
    line: { color, width: 1.5 },
    marker: { color, size: 7, symbol: SYMBOLS[surface.colour - 1] ?? "circle" },
    connectgaps: false,
    hovertext: columnHoverTexts(grid, surface.text, column).map((text) => labelled(grid, surface, text)),
    hoverinfo: "text",
    name: surface.label,
  };
}

function labelled(grid: Grid, surface: Surface, text: string): string {
  return grid.surfaces.length > 1 ? `${surface.label}: ${text}` : text;
}
