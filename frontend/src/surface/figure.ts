/** What the three figures have in common. Pure: a grid and a theme in, Plotly's data and layout out. */
import type { Annotation, Data, Layout, Shape } from "plotly.js";
import { sizeText, sizeTicks } from "../sizes.ts";
import type { Theme } from "../theme.ts";
import { type Grid, type Mark, marksWithin } from "./grid.ts";

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
  return {
    title: { text: title, font: { color: theme.faint } },
    tickvals: ticks.values,
    ticktext: ticks.texts,
    tickmode: "array" as const,
    zeroline: false,
    gridcolor: theme.rule,
    linecolor: theme.rule,
  };
}

/** An axis of measured values, from zero. */
export function valueAxis(title: string, theme: Theme) {
  return {
    title: { text: title, font: { color: theme.faint } },
    rangemode: "tozero" as const,
    exponentformat: "none" as const,
    separatethousands: true,
    zeroline: false,
    gridcolor: theme.rule,
    linecolor: theme.rule,
  };
}

/** What a pointer reads over each cell. */
export function hoverTexts(grid: Grid): string[][] {
  return grid.file_sizes.map((fileSize, row) =>
    grid.record_sizes.map((recordSize, column) => {
      const place = `${sizeText(fileSize)} file, ${sizeText(recordSize)} records`;
      return `${place}<br>${cellText(grid, row, column)}`;
    }),
  );
}

function cellText(grid: Grid, row: number, column: number): string {
  const status = grid.status[row]?.[column] ?? null;
  const text = escaped(grid.text[row]?.[column] ?? "");
  if (status === null) return "not measured";
  if (status === "failed") return `failed: ${text}`;
  if (status === "unmeasurable") return "too fast to measure";
  const n = grid.n[row]?.[column] ?? null;
  return `${text} ${grid.unit}${n === null ? "" : `, n = ${n}`}`;
}

/** Plotly reads a few tags in its texts; a tool's words are none of them. */
function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

export interface Lines {
  shapes: Partial<Shape>[];
  annotations: Partial<Annotation>[];
}

/** A thin line over the whole height of a flat figure for each mark of `axis`, its label over the figure. */
export function uprights(grid: Grid, axis: Mark["axis"], theme: Theme, over: "colours" | "paper"): Lines {
  const marks = positions(grid, axis);
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
export function levels(grid: Grid, axis: Mark["axis"], theme: Theme): Lines {
  const marks = positions(grid, axis);
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

function positions(grid: Grid, axis: Mark["axis"]) {
  return marksWithin(grid, axis).map(({ label, bytes }) => ({ label, at: Math.log2(bytes) }));
}

/** Over colours a line of ink has an edge of paper, to be seen on the darkest and on the lightest of them. */
function strokes(theme: Theme, over: "colours" | "paper") {
  const ink = { color: theme.ink, width: 1 };
  return over === "paper" ? [{ ...ink, dash: "dot" as const }] : [{ color: theme.paper, width: 2.5 }, ink];
}
