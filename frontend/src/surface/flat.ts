/** The surface from above, and its slice at one record size. */
import type { Data } from "plotly.js";
import { sizeText } from "../sizes.ts";
import type { Theme } from "../theme.ts";
import { baseLayout, COLOURS, type Figure, hoverTexts, levels, log2, sizeAxis, uprights, valueAxis } from "./figure.ts";
import { type Grid, highest, range, transposed } from "./grid.ts";

/** The heat map; `chosen` is the column that the slice shows. */
export function mapFigure(grid: Grid, theme: Theme, chosen: number): Figure {
  const [low, high] = range(grid);
  const heat: Data = {
    type: "heatmap",
    x: log2(grid.record_sizes),
    y: log2(grid.file_sizes),
    z: grid.mean,
    zmin: low,
    zmax: high,
    colorscale: COLOURS,
    connectgaps: false,
    hoverongaps: true,
    xgap: 1,
    ygap: 1,
    hovertext: hoverTexts(grid),
    hoverinfo: "text",
    colorbar: { title: { text: grid.unit, side: "right" }, thickness: 10, outlinewidth: 0, x: 1.07, tickformat: ",.3~r" },
  };
  const files = levels(grid, "file_size", theme);
  const records = uprights(grid, "record_size", theme, "colours");
  const [x0, x1] = columnEdges(grid.record_sizes, chosen);
  const frame = { type: "rect" as const, x0, x1, yref: "paper" as const, y0: 0, y1: 1 };
  return {
    data: [heat, ...statusTraces(grid, theme)],
    layout: {
      ...baseLayout(theme),
      margin: { l: 78, r: 10, t: 14, b: 40 },
      xaxis: { ...flatAxis("record size", grid.record_sizes, theme, 7), showgrid: false },
      yaxis: { ...sizeAxis("file size", grid.file_sizes, theme, 8), showgrid: false },
      shapes: [...files.shapes, ...records.shapes, { ...frame, line: { color: theme.ink, width: 1.5 } }],
      annotations: [...files.annotations, ...records.annotations],
      dragmode: false,
    },
  };
}

/** A horizontal axis whose title keeps clear of ticks that Plotly turns where they have no room. */
function flatAxis(title: string, sizes: number[], theme: Theme, mostTicks: number) {
  const axis = sizeAxis(title, sizes, theme, mostTicks);
  return { ...axis, automargin: true, title: { ...axis.title, standoff: 6 } };
}

/** Left and right of a column of the heat map, in log₂: half way to its neighbours, as Plotly draws its bricks. */
export function columnEdges(sizes: number[], column: number): [number, number] {
  const at = log2(sizes);
  const here = at[column] ?? 0;
  const [before, after] = [at[column - 1], at[column + 1]];
  const left = here - (before ?? 2 * here - (after ?? here + 1));
  const right = (after ?? 2 * here - (before ?? here - 1)) - here;
  return [here - left / 2, here + right / 2];
}

/** A sign in the holes that are not simply unmeasured: ✕ failed, » too fast. */
function statusTraces(grid: Grid, theme: Theme): Data[] {
  const x: number[] = [];
  const y: number[] = [];
  const text: string[] = [];
  grid.status.forEach((row, i) => {
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

/** Mean ± sd over the file size at the chosen record size. */
export function sliceFigure(grid: Grid, theme: Theme, chosen: number): Figure {
  const column = <Value>(matrix: Value[][]) => transposed(matrix)[chosen] ?? [];
  const marks = uprights(grid, "file_size", theme, "paper");
  const high = highest(grid);
  const line: Data = {
    type: "scatter",
    mode: "lines+markers",
    x: log2(grid.file_sizes),
    y: column(grid.mean) as number[], // Plotly takes null as a gap
    error_y: { type: "data", array: column(grid.sd).map((sd) => sd ?? 0), thickness: 1, width: 3, color: theme.ink },
    line: { color: theme.series, width: 1.5 },
    marker: { color: theme.series, size: 5 },
    connectgaps: false,
    hovertext: column(hoverTexts(grid)),
    hoverinfo: "text",
    name: sizeText(grid.record_sizes[chosen] ?? 1),
  };
  return {
    data: [line],
    layout: {
      ...baseLayout(theme),
      margin: { l: 78, r: 10, t: 14, b: 40 },
      xaxis: flatAxis("file size", grid.file_sizes, theme, 8),
      // The same scale for every record size, so that slices can be compared by eye; room for the longest whisker.
      yaxis: { ...valueAxis(grid.unit, theme), range: [0, high * 1.08] },
      shapes: marks.shapes,
      annotations: marks.annotations,
      dragmode: false,
    },
  };
}
