/** Code shared by the figures: pure functions from a grid and a theme to Plotly's data and layout. */
import type { Annotation, Data, Layout, Shape } from "plotly.js";
import { named, sizeText, sizeTicks, type Ticks } from "../sizes.ts";
import type { Theme } from "../theme.ts";
import { type Axis, columnOf, type Grid, marksWithin, type Matrix, type Place } from "./grid.ts";

export interface Figure {
  data: Data[];
  layout: Partial<Layout>;
}

export const COLOURS = "Cividis";

export const log2 = (sizes: number[]): number[] => sizes.map(Math.log2);

/** An equal value keeps camera and zoom across redraws. */
export const SAME_VIEW = "same view";

export function baseLayout(theme: Theme): Partial<Layout> {
  return {
    font: { family: theme.font, size: 11, color: theme.ink },
    paper_bgcolor: "rgba(0,0,0,0)",
    plot_bgcolor: "rgba(0,0,0,0)",
    separators: ".\u202f", // the server's digit grouping
    showlegend: false,
    uirevision: SAME_VIEW,
    hoverlabel: { bgcolor: theme.paper, bordercolor: theme.faint, font: { color: theme.ink, family: theme.font } },
  };
}

/** An axis of sizes: values are log₂ of bytes, ticks have texts such as 64 KiB. */
function sizeAxis(title: string, { values, texts }: Ticks, theme: Theme) {
  return { ...quietAxis(title, theme), tickvals: values, ticktext: texts, tickmode: "array" as const };
}

/** An axis of sizes with the marks of surface `of`, or of all, as named ticks: "L2, 1 MiB". */
export function markedAxis(title: string, grid: Grid, axis: Axis, theme: Theme, mostTicks: number, of?: number) {
  const sizes = axis === "file_size" ? grid.file_sizes : grid.record_sizes;
  return sizeAxis(title, named(sizeTicks(sizes, mostTicks), marksWithin(grid, axis, of)), theme);
}

/** A horizontal axis of sizes; its title leaves room for ticks that Plotly rotates. */
function flatSizeAxis(title: string, sizes: number[], theme: Theme, mostTicks: number) {
  const axis = sizeAxis(title, sizeTicks(sizes, mostTicks), theme);
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

/** The hover text of each cell. */
export function hoverTexts(grid: Grid, texts: Matrix<string | null>): string[][] {
  const [files, records] = [grid.file_sizes.map(sizeText), grid.record_sizes.map(sizeText)];
  return texts.map((row, i) => row.map((text, j) => hoverText(files[i], records[j], text)));
}

/** The hover text of each cell of one column. */
export function columnHoverTexts(grid: Grid, texts: Matrix<string | null>, column: number): string[] {
  const record = sizeText(grid.record_sizes[column] ?? 1);
  return columnOf(texts, column).map((text, i) => hoverText(sizeText(grid.file_sizes[i] ?? 1), record, text));
}

function hoverText(file: string | undefined, record: string | undefined, text: string | null): string {
  return `${file ?? ""} file, ${record ?? ""} records<br>${wrapped(escaped(text ?? "not measured"))}`;
}

/** "64 KiB file, 4 KiB records". */
export function placeText(grid: Grid, { row, column }: Place): string {
  return `${sizeText(grid.file_sizes[row] ?? 1)} file, ${sizeText(grid.record_sizes[column] ?? 1)} records`;
}

/** Escapes text, because Plotly interprets a few tags. */
export function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

/** Wraps text at spaces into lines of at most 60 characters; Plotly itself does not wrap. */
function wrapped(text: string): string {
  return text.replaceAll(/(.{1,60})(?: |$)/g, "$1<br>").replace(/<br>$/, "");
}

/** Whether a mark is the size of the memory, also if it names its surface. */
export function isMemory(label: string): boolean {
  return label.startsWith("memory");
}

export interface Lines {
  shapes: Partial<Shape>[];
  annotations: Partial<Annotation>[];
}

/**
 * A dotted line over the height of a slice for each mark of the file size, with its label above the figure. The region of
 * files that fit in memory is shaded.
 */
export function uprights(grid: Grid, theme: Theme): Lines {
  const marks = marksWithin(grid, "file_size").map(({ label, bytes }) => ({ label, at: Math.log2(bytes) }));
  const line = { color: theme.ink, width: 1, dash: "dot" as const };
  const whole = { yref: "paper" as const, y0: 0, y1: 1 };
  const left = Math.log2(Math.min(...grid.file_sizes));
  const shade = { type: "rect" as const, layer: "below" as const, fillcolor: theme.rule, opacity: 0.45, line: { width: 0 } };
  return {
    shapes: [
      ...marks.filter(({ label }) => isMemory(label)).map(({ at }) => ({ ...shade, x0: left, x1: at, ...whole })),
      ...marks.map(({ at }) => ({ ...{ type: "line" as const, line, x0: at, x1: at }, ...whole })),
    ],
    annotations: marks.map(({ label, at }) => ({
      ...{ text: label, font: { size: 10, color: theme.ink }, showarrow: false, x: at },
      ...{ yref: "paper" as const, y: 1, yanchor: "bottom" as const },
    })),
  };
}

/** The layout of a slice over the file size. */
export function sliceLayout(grid: Grid, theme: Theme): Partial<Layout> {
  const marks = uprights(grid, theme);
  return {
    ...baseLayout(theme),
    margin: { l: 78, r: 10, t: 16, b: 40 },
    xaxis: flatSizeAxis("file size", grid.file_sizes, theme, 8),
    shapes: marks.shapes,
    annotations: marks.annotations,
    dragmode: false,
  };
}
