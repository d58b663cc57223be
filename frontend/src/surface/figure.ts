/** What the figures have in common. Pure: a grid and a theme in, Plotly's data and layout out. */
import type { Annotation, Data, Layout, Shape } from "plotly.js";
import { sizeText, sizeTicks } from "../sizes.ts";
import type { Theme } from "../theme.ts";
import { type Axis, bricks, type Grid, marksWithin, type Matrix, type Place } from "./grid.ts";

export interface Figure {
  data: Data[];
  layout: Partial<Layout>;
}

export const COLOURS = "Cividis";

export const log2 = (sizes: number[]): number[] => sizes.map(Math.log2);

/** Keeps camera and zoom through redraws: Plotly compares it with the one before. */
export const SAME_VIEW = "same view";

export function baseLayout(theme: Theme): Partial<Layout> {
  return {
    font: { family: theme.font, size: 11, color: theme.ink },
    paper_bgcolor: "rgba(0,0,0,0)",
    plot_bgcolor: "rgba(0,0,0,0)",
    separators: ".\u202f", // as the server groups digits
    showlegend: false,
    uirevision: SAME_VIEW,
    modebar: { bgcolor: "rgba(0,0,0,0)", color: theme.faint, activecolor: theme.ink },
    hoverlabel: { bgcolor: theme.paper, bordercolor: theme.faint, font: { color: theme.ink, family: theme.font } },
  };
}

/** An axis of sizes: values are log₂ of bytes, ticks say 64 KiB. */
export function sizeAxis(title: string, sizes: number[], theme: Theme, mostTicks: number) {
  const ticks = sizeTicks(sizes, mostTicks);
  return { ...quietAxis(title, theme), tickvals: ticks.values, ticktext: ticks.texts, tickmode: "array" as const };
}

/** A horizontal one in a flat figure: its title keeps clear of ticks that Plotly turns where they have no room. */
export function flatSizeAxis(title: string, sizes: number[], theme: Theme, mostTicks: number) {
  const axis = sizeAxis(title, sizes, theme, mostTicks);
  return { ...axis, automargin: true, title: { ...axis.title, standoff: 6 } };
}

/** An axis of measured values, from zero. */
export function valueAxis(title: string, theme: Theme) {
  return {
    ...quietAxis(title, theme),
    rangemode: "tozero" as const,
    nticks: 7,
    exponentformat: "none" as const,
    separatethousands: true,
  };
}

export function quietAxis(title: string, theme: Theme) {
  return {
    title: { text: title, font: { color: theme.faint } },
    zeroline: false,
    gridcolor: theme.rule,
    linecolor: theme.rule,
  };
}

/** "throughput, MiB/s". */
export function valueTitle(grid: Grid): string {
  return `${grid.quantity}, ${grid.unit}`;
}

/** What a pointer reads over each cell. */
export function hoverTexts(grid: Grid, texts: Matrix<string | null>): string[][] {
  return texts.map((row, i) =>
    row.map((text, j) => `${placeText(grid, { row: i, column: j })}<br>${wrapped(escaped(text ?? "not measured"))}`),
  );
}

/** "64 KiB file, 4 KiB records". */
export function placeText(grid: Grid, { row, column }: Place): string {
  return `${sizeText(grid.file_sizes[row] ?? 1)} file, ${sizeText(grid.record_sizes[column] ?? 1)} records`;
}

/** Plotly reads a few tags in its texts; a tool's words are none of them. */
export function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

/** Lines of at most 60 characters where there are spaces: Plotly breaks none by itself. */
function wrapped(text: string): string {
  return text.replaceAll(/(.{1,60})(?: |$)/g, "$1<br>").replace(/<br>$/, "");
}

export interface Lines {
  shapes: Partial<Shape>[];
  annotations: Partial<Annotation>[];
}

/** A thin line over the whole height of a flat figure for each mark of `axis`, its label over the figure. */
export function uprights(grid: Grid, axis: Axis, theme: Theme, over: "colours" | "paper", of?: number): Lines {
  const marks = positions(grid, axis, of);
  return {
    shapes: marks.flatMap(({ at }) =>
      strokes(theme, over).map((line) => ({
        ...{ type: "line" as const, line, x0: at, x1: at },
        ...{ yref: "paper" as const, y0: 0, y1: 1 },
      })),
    ),
    annotations: marks.map(({ label, at }) => ({
      ...{ text: label, font: { size: 10, color: theme.ink }, showarrow: false, x: at },
      ...{ yref: "paper" as const, y: 1, yanchor: "bottom" as const },
    })),
  };
}

/** The same across the whole width, the label to the right of the figure. */
export function levels(grid: Grid, axis: Axis, theme: Theme, of?: number): Lines {
  const marks = positions(grid, axis, of);
  return {
    shapes: marks.flatMap(({ at }) =>
      strokes(theme, "colours").map((line) => ({
        ...{ type: "line" as const, line, y0: at, y1: at },
        ...{ xref: "paper" as const, x0: 0, x1: 1 },
      })),
    ),
    annotations: marks.map(({ label, at }) => ({
      ...{ text: label, font: { size: 10, color: theme.ink }, showarrow: false, y: at },
      ...{ xref: "paper" as const, x: 1, xanchor: "left" as const },
    })),
  };
}

function positions(grid: Grid, axis: Axis, of?: number) {
  return marksWithin(grid, axis, of).map(({ label, bytes }) => ({ label, at: Math.log2(bytes) }));
}

/** Over colours a line of ink has an edge of paper, to be seen on the darkest and on the lightest of them. */
function strokes(theme: Theme, over: "colours" | "paper") {
  const ink = { color: theme.ink, width: 1 };
  return over === "paper" ? [{ ...ink, dash: "dot" as const }] : [{ color: theme.paper, width: 2.5 }, ink];
}

/** Frames on a heat map: the column that the slice shows, and the chosen cell in it. */
export function frames(grid: Grid, theme: Theme, { row, column }: Place): Partial<Shape>[] {
  const [x0, x1] = bricks(grid.record_sizes)[column] ?? [0, 0];
  const [y0, y1] = bricks(grid.file_sizes)[row] ?? [0, 0];
  const across = { type: "rect" as const, x0, x1, yref: "paper" as const, y0: 0, y1: 1 };
  const cell = { type: "rect" as const, x0, x1, y0, y1 };
  return [
    { ...across, line: { color: theme.ink, width: 1 } },
    { ...cell, line: { color: theme.paper, width: 4 } },
    { ...cell, line: { color: theme.ink, width: 2 } },
  ];
}

/** The scale of a heat map, at the right edge of its figure: between both there is room for the names of marks. */
export const SCALE = { thickness: 10, outlinewidth: 0, xref: "container" as const, x: 1, xanchor: "right" as const };

/** The layout of a heat map: sizes on both axes, marks, and what is chosen. */
export function mapLayout(grid: Grid, theme: Theme, chosen: Place, of?: number): Partial<Layout> {
  const files = levels(grid, "file_size", theme, of);
  const records = uprights(grid, "record_size", theme, "colours", of);
  return {
    ...baseLayout(theme),
    margin: { l: 72, r: 106, t: 16, b: 40 },
    xaxis: { ...flatSizeAxis("record size", grid.record_sizes, theme, 7), showgrid: false },
    yaxis: { ...sizeAxis("file size", grid.file_sizes, theme, 8), showgrid: false },
    shapes: [...files.shapes, ...records.shapes, ...frames(grid, theme, chosen)],
    annotations: [...files.annotations, ...records.annotations],
    dragmode: false,
  };
}

/** The layout of a slice over the file size. */
export function sliceLayout(grid: Grid, theme: Theme): Partial<Layout> {
  const marks = uprights(grid, "file_size", theme, "paper");
  return {
    ...baseLayout(theme),
    margin: { l: 78, r: 10, t: 16, b: 40 },
    xaxis: flatSizeAxis("file size", grid.file_sizes, theme, 8),
    shapes: marks.shapes,
    annotations: marks.annotations,
    dragmode: false,
  };
}
