/** A surface from above, and the slice of all surfaces at one record size. */
import type { Data } from "plotly.js";
import type { Theme } from "../theme.ts";
import { COLOURS, type Figure, hoverTexts, log2, mapLayout, SCALE, sliceLayout, valueAxis, valueTitle } from "./figure.ts";
import { columnOf, type Grid, highest, type Place, range, type Surface } from "./grid.ts";

/** The heat map of surface `of`; the slice shows the column of `chosen`. */
export function mapFigure(grid: Grid, of: number, theme: Theme, chosen: Place): Figure {
  const surface = surfaceOf(grid, of);
  const [low, high] = range(grid);
  const heat: Data = {
    type: "heatmap",
    x: log2(grid.record_sizes),
    y: log2(grid.file_sizes),
    z: surface.value,
    zmin: low,
    zmax: high,
    colorscale: COLOURS,
    connectgaps: false,
    hoverongaps: true,
    xgap: 1,
    ygap: 1,
    hovertext: hoverTexts(grid, surface.text),
    hoverinfo: "text",
    colorbar: { ...SCALE, tickformat: ",.3~r" },
  };
  return { data: [heat, ...signs(grid, surface, theme)], layout: mapLayout(grid, theme, chosen, of) };
}

export function surfaceOf(grid: Grid, of: number): Surface {
  const surface = grid.surfaces[of];
  if (!surface) throw new Error(`There is no surface ${of}`);
  return surface;
}

/** A sign in the holes that are not simply unmeasured: ✕ failed, » too fast. */
function signs(grid: Grid, surface: Surface, theme: Theme): Data[] {
  const x: number[] = [];
  const y: number[] = [];
  const text: string[] = [];
  surface.status.forEach((row, i) => {
    row.forEach((status, j) => {
      if (status !== "failed" && status !== "unmeasurable") return;
      x.push(Math.log2(grid.record_sizes[j] ?? 1));
      y.push(Math.log2(grid.file_sizes[i] ?? 1));
      text.push(status === "failed" ? "✕" : "»");
    });
  });
  if (x.length === 0) return [];
  return [{ type: "scatter", mode: "text", x, y, text, textfont: { color: theme.faint }, hoverinfo: "skip" }];
}

/** Value ± spread over the file size at the chosen record size, a line a surface. */
export function sliceFigure(grid: Grid, theme: Theme, { column }: Place): Figure {
  return {
    data: grid.surfaces.map((surface, s) => sliceLine(grid, surface, s, theme, column)),
    layout: {
      ...sliceLayout(grid, theme),
      // The same scale for every record size, so that slices can be compared by eye; room for the longest whisker.
      yaxis: { ...valueAxis(valueTitle(grid), theme), range: [0, highest(grid) * 1.08] },
      showlegend: grid.surfaces.length > 1,
      legend: { orientation: "h", x: 1, xanchor: "right", y: 1.1, yanchor: "bottom" },
    },
  };
}

function sliceLine(grid: Grid, surface: Surface, s: number, theme: Theme, column: number): Data {
  const color = theme.series[s] ?? theme.ink;
  const spread = columnOf(surface.spread, column).map((sd) => sd ?? 0);
  return {
    type: "scatter",
    mode: "lines+markers",
    x: log2(grid.file_sizes),
    y: columnOf(surface.value, column) as number[], // Plotly takes null as a gap
    error_y: { type: "data", array: spread, thickness: 1, width: 3, color, visible: spread.some((sd) => sd > 0) },
    line: { color, width: 1.5, dash: s === 0 ? "solid" : "dash" },
    marker: { color, size: s === 0 ? 5 : 7, symbol: s === 0 ? "circle" : "diamond" },
    connectgaps: false,
    hovertext: columnOf(hoverTexts(grid, surface.text), column).map((text) => labelled(grid, surface, text)),
    hoverinfo: "text",
    name: surface.label,
  };
}

function labelled(grid: Grid, surface: Surface, text: string): string {
  return grid.surfaces.length > 1 ? `${surface.label}: ${text}` : text;
}
