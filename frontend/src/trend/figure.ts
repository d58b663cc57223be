/** A trend as Plotly's data and layout. Pure: the trend and a theme in. */
import type { Annotation, Data, Layout, Shape } from "plotly.js";
import { baseLayout, escaped, type Figure, quietAxis } from "../surface/figure.ts";
import type { Theme } from "../theme.ts";
import { localText } from "../times.ts";
import { events, type Point, positions, type Series, type Trend, type X } from "./data.ts";

/** `colours` are those of the series, in their order; `width` is that of the plot, in pixels. */
export function trendFigure(trend: Trend, theme: Theme, colours: string[], width: number): Figure {
  const drawn = trend.series.map((series, i) => ({ series, x: positions(trend, series), colour: colours[i] ?? theme.ink }));
  return {
    data: drawn.flatMap(({ series, x, colour }) => [pointTrace(trend, series, x, colour), ...levelTraces(series, x, colour)]),
    layout: {
      ...baseLayout(theme),
      margin: { l: 70, r: 12, t: 26, b: 44 },
      xaxis: { ...xAxis(trend, theme, width), automargin: true },
      yaxis: { ...quietAxis(`${trend.metric_label}, ${trend.unit}`, theme), ...grouped, automargin: true },
      showlegend: trend.series.length > 1,
      legend: { orientation: "h", y: 1.02, yanchor: "bottom", x: 0 },
      shapes: eventLines(trend, theme),
      annotations: [...eventMarks(trend, theme), ...drawn.flatMap(({ series, x, colour }) => changeMarks(series, x, colour))],
      dragmode: "zoom",
      hovermode: "closest",
    },
  };
}

const grouped = { exponentformat: "none", separatethousands: true } as const;

const LONGEST_KERNEL = 130; // pixels; where there is less room, their names are turned

function xAxis(trend: Trend, theme: Theme, width: number): Partial<Layout["xaxis"]> {
  if (trend.by === "time") return { ...quietAxis("", theme), type: "date" };
  return {
    ...quietAxis("kernel", theme),
    tickmode: "array",
    tickvals: trend.kernels.map((_, i) => i),
    ticktext: trend.kernels.map(escaped),
    ...(width / trend.kernels.length < LONGEST_KERNEL ? { tickangle: -35 } : {}),
    range: [-0.5, trend.kernels.length - 0.5],
  };
}

/** The runs, with the interval of each mean; those set aside are open circles. */
function pointTrace(trend: Trend, series: Series, x: X[], colour: string): Data {
  const distance = (end: "low" | "high") =>
    series.points.map((point) => Math.abs((point[end] ?? point.mean ?? 0) - (point.mean ?? 0)));
  const odd = new Set(series.outliers);
  return {
    type: "scatter",
    mode: "markers",
    name: escaped(series.label),
    x,
    y: series.points.map(({ mean }) => mean) as number[], // Plotly takes null as a gap
    error_y: {
      ...{ type: "data", symmetric: false, array: distance("high"), arrayminus: distance("low") },
      ...{ thickness: 1, width: 2, color: colour },
    },
    marker: { color: colour, size: 6, symbol: series.points.map((_, i) => (odd.has(i) ? "circle-open" : "circle")) },
    hovertext: series.points.map((point) => hoverText(trend, point)),
    hoverinfo: "text",
  };
}

function hoverText(trend: Trend, { time, kernel, n, text }: Point): string {
  const counted = n === null ? "" : `, n = ${n}`;
  return `${localText(new Date(time), false)} · ${escaped(kernel)}<br>${escaped(text)} ${escaped(trend.unit)}${counted}`;
}

/** The level of each segment, from its first to its last run. */
function levelTraces(series: Series, x: X[], colour: string): Data[] {
  return series.segments.map(({ first, last, level }) => ({
    ...{ type: "scatter" as const, mode: "lines" as const, showlegend: false, hoverinfo: "skip" as const },
    x: [x[first] ?? 0, x[last] ?? 0],
    y: [level, level],
    line: { color: colour, width: 2 },
    opacity: 0.7,
  }));
}

/** "▼ −12 %" beside each step, at the height of the level before: the runs have left that place. */
function changeMarks(series: Series, x: X[], colour: string): Partial<Annotation>[] {
  return series.change_points.map(({ at, kind, change }) => ({
    x: x[at] ?? 0,
    y: series.segments.findLast(({ last }) => last < at)?.level ?? 0,
    ...{ text: `${kind === "better" ? "▲" : "▼"} ${change}`, font: { size: 12, color: colour } },
    ...{ showarrow: false, xanchor: "left" as const, yanchor: "middle" as const },
  }));
}

function eventLines(trend: Trend, theme: Theme): Partial<Shape>[] {
  return events(trend).map(({ x }) => ({
    ...{ type: "line" as const, layer: "below" as const, line: { color: theme.faint, width: 1, dash: "dot" as const } },
    ...{ x0: x, x1: x, yref: "paper" as const, y0: 0, y1: 1 },
  }));
}

/** A sign over each line that tells what changed. */
function eventMarks(trend: Trend, theme: Theme): Partial<Annotation>[] {
  return events(trend).map(({ x, text }) => ({
    ...{ x, yref: "paper" as const, y: 1, yanchor: "bottom" as const, yshift: -6, showarrow: false, captureevents: true },
    ...{ text: "▾", hovertext: escaped(text), font: { size: 14, color: theme.faint } },
  }));
}
