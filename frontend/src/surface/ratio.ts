/** The third panel of two runs: their ratio, on a logarithmic scale centred on 1; cells without an established difference are grey. */
import type { Data } from "plotly.js";
import type { Theme } from "../theme.ts";
import { columnHoverTexts, type Figure, hoverTexts, quietAxis, sliceLayout, log2 } from "./figure.ts";
import { bricks, columnOf, factorText, type Grid, type Matrix, type Place, type Ratio, type Verdict } from "./grid.ts";
import { meshTraces, tiles } from "./mesh.ts";
import { type Camera, solidLayout } from "./solid.ts";

/** Orange is worse, blue is better, the middle is pale: position (0 to 1) and colour. */
export const DIVERGING: [number, string][] = [
  [0, "#8c3a00"], [0.25, "#e08a3c"], [0.45, "#f6d9bb"], [0.5, "#f5f4f1"],
  [0.55, "#c7dcec"], [0.75, "#4f95c9"], [1, "#0b4a82"],
];
const SYMBOLS = {
  ...{ better: "triangle-up" as const, worse: "triangle-down" as const },
  ...{ equivalent: "square-open" as const, inconclusive: "circle-open" as const, none: "x-thin-open" as const },
};

const established = (verdict: Verdict | null | undefined) => verdict === "better" || verdict === "worse";

/** log₂ of the ratios whose verdict is established, or is not; null elsewhere. */
export function heights(ratio: Ratio, which: "established" | "grey"): Matrix<number | null> {
  return ratio.value.map((row, i) =>
    row.map((value, j) => {
      const fits = established(ratio.verdict[i]?.[j]) === (which === "established");
      return value !== null && fits ? Math.log2(value) : null;
    }),
  );
}

/** How far the colours reach on each side of 1, in log₂: to the largest established difference, 5 % at least. */
export function reach(ratio: Ratio): number {
  const known = heights(ratio, "established").flat().filter((height) => height !== null);
  return Math.max(Math.log2(1.05), ...known.map(Math.abs));
}

/** Candidate ratios for ticks, finer and coarser. */
const LADDERS = [
  ...[[1.02, 1.04, 1.06], [1.05, 1.1, 1.15], [1.1, 1.2, 1.3], [1.2, 1.4, 1.6], [1.5, 2, 3]],
  ...[[2, 4, 8], [4, 16, 64], [16, 256, 4096]],
];

/** Ticks at 1, and at round ratios and their reciprocals as far as `limit` in log₂; values are in log₂. */
export function ratioTicks(limit: number): { values: number[]; texts: string[] } {
  const ladder = LADDERS.find((rungs) => Math.log2(rungs.at(-1) ?? 1) >= limit) ?? [2 ** Math.floor(limit)];
  const above = ladder.filter((ratio) => Math.log2(ratio) <= limit + 1e-9);
  const ratios = [...above.map((ratio) => 1 / ratio).reverse(), 1, ...above];
  return { values: ratios.map(Math.log2), texts: ratios.map(factorText) };
}

/** An axis of ratios in log₂, ticked as ratios. */
function ratioAxis(title: string, limit: number, theme: Theme) {
  const { values, texts } = ratioTicks(limit);
  return { ...quietAxis(title, theme), tickmode: "array" as const, tickvals: values, ticktext: texts };
}

/** The largest height of any cell, grey ones too. */
function tallest(ratio: Ratio): number {
  const known = ratio.value.flat().flatMap((value) => (value === null ? [] : [Math.abs(Math.log2(value))]));
  return Math.max(reach(ratio), ...known);
}

/** A tile for each cell at the height of its ratio; nothing is drawn between cells, which have no verdict there. */
export function ratioSolid(grid: Grid, ratio: Ratio, theme: Theme, camera: Camera): Figure {
  const limit = reach(ratio);
  const colours = { colorscale: DIVERGING, reversescale: !ratio.higher_is_better, cmin: -limit, cmax: limit };
  const texts = hoverTexts(grid, ratio.text);
  const grey = tiles(grid, heights(ratio, "grey"), texts);
  const coloured = tiles(grid, heights(ratio, "established"), texts);
  const axis = { ...ratioAxis("ratio", tallest(ratio), theme), range: [-tallest(ratio) * 1.05, tallest(ratio) * 1.05] };
  return {
    data: [
      ...meshTraces(grey, { color: theme.insignificant }),
      ...meshTraces(coloured, { intensity: coloured.z, ...colours, showscale: false }),
      base(grid, theme),
    ],
    layout: solidLayout(grid, theme, camera, axis),
  };
}

/** The outline of the grid at ratio 1. */
function base(grid: Grid, theme: Theme): Data {
  const [left, right] = ends(grid.record_sizes);
  const [near, far] = ends(grid.file_sizes);
  return {
    type: "scatter3d",
    mode: "lines",
    x: [left, right, right, left, left],
    y: [near, near, far, far, near],
    z: [0, 0, 0, 0, 0],
    line: { color: theme.ink, width: 2 },
    hoverinfo: "skip",
  };
}

function ends(sizes: number[]): [number, number] {
  const all = bricks(sizes);
  return [all[0]?.[0] ?? 0, all.at(-1)?.[1] ?? 0];
}

/** The ratio over the file size at the chosen record size, with its 95 % interval and the margin around 1 in grey. */
export function ratioSlice(grid: Grid, ratio: Ratio, theme: Theme, { column }: Place): Figure {
  const logs = (matrix: Matrix<number | null>) =>
    columnOf(matrix, column).map((value) => (value === null ? null : Math.log2(value)));
  const [at, low, high] = [logs(ratio.value), logs(ratio.low), logs(ratio.high)];
  const verdicts = columnOf(ratio.verdict, column);
  const colours = verdicts.map((verdict) => colourOf(verdict, theme));
  const beyond = (ends: (number | null)[]) =>
    at.map((here, i) => (here === null ? 0 : Math.abs((ends[i] ?? here) - here)));
  const line: Data = {
    type: "scatter",
    mode: "markers",
    x: log2(grid.file_sizes),
    y: at as number[],
    error_y: { type: "data", symmetric: false, array: beyond(high), arrayminus: beyond(low), thickness: 1, width: 3, color: theme.faint },
    marker: { color: colours, size: 9, symbol: verdicts.map((verdict) => SYMBOLS[verdict ?? "none"]), line: { width: 1.5, color: colours } },
    hovertext: columnHoverTexts(grid, ratio.text, column),
    hoverinfo: "text",
    name: ratio.label,
  };
  const limit = tallest(ratio) * 1.15;
  const layout = sliceLayout(grid, theme);
  const margin = Math.log2(1 + ratio.margin);
  const whole = { xref: "paper" as const, x0: 0, x1: 1, layer: "below" as const };
  return {
    data: [line],
    layout: {
      ...layout,
      yaxis: { ...ratioAxis("ratio", limit, theme), range: [-limit, limit] },
      shapes: [
        { ...whole, type: "rect", y0: -margin, y1: margin, fillcolor: theme.rule, opacity: 0.5, line: { width: 0 } },
        { ...whole, type: "line", y0: 0, y1: 0, line: { color: theme.ink, width: 1 } },
        ...(layout.shapes ?? []),
      ],
    },
  };
}

function colourOf(verdict: Verdict | null, theme: Theme): string {
  if (verdict === "better") return theme.series[0] ?? theme.ink;
  return verdict === "worse" ? (theme.series[1] ?? theme.ink) : theme.faint;
}
