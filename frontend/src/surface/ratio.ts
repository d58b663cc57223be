/** The slice of the ratio of two runs, on a logarithmic scale centred on 1. */
import type { Data } from "plotly.js";
import type { Theme } from "../theme.ts";
import { columnHoverTexts, type Figure, quietAxis, sliceLayout, log2 } from "./figure.ts";
import { columnOf, factorText, type Grid, type Matrix, type Place, type Ratio, type Verdict } from "./grid.ts";

const SYMBOLS = {
  ...{ better: "triangle-up" as const, worse: "triangle-down" as const },
  ...{ equivalent: "square-open" as const, inconclusive: "circle-open" as const, none: "x-thin-open" as const },
};

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

/** The largest |log₂| of a ratio, 5 % at least. */
function tallest(ratio: Ratio): number {
  const known = ratio.value.flat().flatMap((value) => (value === null ? [] : [Math.abs(Math.log2(value))]));
  return Math.max(Math.log2(1.05), ...known);
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
