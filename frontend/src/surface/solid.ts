/** A surface in three dimensions. */
import type { Data } from "plotly.js";
import { sizeText } from "../sizes.ts";
import type { Theme } from "../theme.ts";
import { baseLayout, COLOURS, type Figure, hoverTexts, log2, SAME_VIEW, sizeAxis, valueAxis, valueTitle } from "./figure.ts";
import { surfaceOf } from "./flat.ts";
import { type Axis, crossing, type Grid, marksWithin, type Matrix, range, transposed } from "./grid.ts";

/** Lines lie this share of the whole height over the surface, or it would swallow them. */
const LIFT = 0.01;
const HAIR = 0.003;

/** From where the surface is seen first: small files and large records in front. */
const EYE = { x: 1.22, y: -1.5, z: 0.78 };

export interface Camera {
  eye: { x: number; y: number; z: number };
  center: { x: number; y: number; z: number };
}

/** `distance` multiplies the way to the eye: 1 fills a figure that is about as wide as it is high. */
export function firstCamera(distance: number): Camera {
  return {
    eye: { x: EYE.x * distance, y: EYE.y * distance, z: EYE.z * distance },
    center: { x: -0.07, y: -0.03, z: -0.12 },
  };
}

/** Surface `of`, seen by `camera`. */
export function solidFigure(grid: Grid, of: number, theme: Theme, camera: Camera): Figure {
  const { value, text } = surfaceOf(grid, of);
  const [low, high] = range(grid);
  const surface: Data = {
    type: "surface",
    x: log2(grid.record_sizes),
    y: log2(grid.file_sizes),
    z: value,
    connectgaps: false,
    colorscale: COLOURS,
    cmin: low,
    cmax: high,
    showscale: false,
    hovertext: hoverTexts(grid, text) as unknown as string[], // a matrix like z; the types know its flat form only
    hoverinfo: "text",
    ...MATT,
  };
  const zaxis = { ...valueAxis(valueTitle(grid), theme), range: [0, high] }; // one scale for all surfaces
  return {
    data: [surface, gridLines(grid, value, theme), ...markTraces(grid, of, value, theme)],
    layout: solidLayout(grid, theme, camera, zaxis),
  };
}

/** Light that changes no colour much, and no lines of its own. */
export const MATT = {
  lighting: { ambient: 0.85, diffuse: 0.3, specular: 0.05, roughness: 1 },
  contours: { x: { highlight: false }, y: { highlight: false }, z: { highlight: false } },
};

/** The layout of a figure in three dimensions over both sizes. */
export function solidLayout(grid: Grid, theme: Theme, camera: Camera, zaxis: object): Figure["layout"] {
  const bare = { showbackground: false, showspikes: false };
  return {
    ...baseLayout(theme),
    margin: { l: 0, r: 0, t: 0, b: 0 },
    scene: {
      xaxis: { ...sizeAxis("record size", grid.record_sizes, theme, 6), ...bare },
      yaxis: { ...sizeAxis("file size", grid.file_sizes, theme, 6), ...bare },
      zaxis: { ...zaxis, ...bare },
      aspectmode: "manual",
      aspectratio: { x: 1, y: 1.15, z: 0.75 },
      camera,
      dragmode: "turntable",
      uirevision: SAME_VIEW,
    },
  };
}

/**
 * The measured grid as hairlines on the surface: they show what was measured and what is only drawn between.
 *
 * One trace with gaps: a trace a line would cost a turning surface milliseconds in every frame. Of a grid so fine that
 * its lines would cover the colours, every second, third, … line is drawn.
 */
function gridLines(grid: Grid, value: Matrix<number | null>, theme: Theme): Data {
  const [xs, ys] = [log2(grid.record_sizes), log2(grid.file_sizes)];
  const lifted = raised(value, range(grid)[1] * HAIR);
  const x: (number | null)[] = [];
  const y: (number | null)[] = [];
  const z: (number | null)[] = [];
  const line = (points: { x: number; y: number; z: number | null }[]) => {
    for (const point of points) { x.push(point.x); y.push(point.y); z.push(point.z); }
    x.push(null); y.push(null); z.push(null);
  };
  for (const i of thinned(ys)) line(xs.map((each, j) => ({ x: each, y: ys[i] ?? 0, z: lifted[i]?.[j] ?? null })));
  for (const j of thinned(xs)) line(ys.map((each, i) => ({ x: xs[j] ?? 0, y: each, z: lifted[i]?.[j] ?? null })));
  return {
    type: "scatter3d",
    mode: "lines",
    ...{ x: x as number[], y: y as number[], z: z as number[] }, // Plotly takes null as a gap
    line: { color: theme.ink, width: 1 },
    opacity: 0.4,
    hoverinfo: "skip",
  };
}

const MOST_LINES = 34;

/** The indices of `all`, or evenly spaced ones of them from the first. */
function thinned(all: number[]): number[] {
  const step = Math.ceil(all.length / MOST_LINES);
  return all.map((_, i) => i).filter((i) => i % step === 0);
}

function raised(matrix: Matrix<number | null>, by: number): Matrix<number | null> {
  return matrix.map((row) => row.map((height) => (height === null ? null : height + by)));
}

/** A line over the surface where L1, L2, L3 and memory end, with its name where the line comes out at the side. */
function markTraces(grid: Grid, of: number, value: Matrix<number | null>, theme: Theme): Data[] {
  const lift = range(grid)[1] * LIFT;
  return (["file_size", "record_size"] as const).flatMap((axis) =>
    marksWithin(grid, axis, of).flatMap((mark) => {
      const line = markLine(grid, value, axis, mark.bytes, lift);
      const end = line.z.findLastIndex((height) => height !== null);
      const position = axis === "file_size" ? "middle right" : "top center";
      return end < 0 ? [] : [lineTrace(line, theme), labelTrace(mark, line, end, position, theme)];
    }),
  );
}

interface Line {
  x: number[];
  y: number[];
  z: (number | null)[];
}

function markLine(grid: Grid, value: Matrix<number | null>, axis: Axis, bytes: number, lift: number): Line {
  const at = Math.log2(bytes);
  const lifted = (heights: (number | null)[]) => raised([heights], lift)[0] ?? [];
  if (axis === "file_size") {
    const x = log2(grid.record_sizes);
    return { x, y: x.map(() => at), z: lifted(crossing(value, grid.file_sizes, bytes)) };
  }
  const y = log2(grid.file_sizes);
  return { x: y.map(() => at), y, z: lifted(crossing(transposed(value), grid.record_sizes, bytes)) };
}

function lineTrace(line: Line, theme: Theme): Data {
  return { ...line, type: "scatter3d", mode: "lines", line: { color: theme.ink, width: 4 }, hoverinfo: "skip" };
}

function labelTrace(
  mark: { label: string; bytes: number },
  line: Line,
  end: number,
  textposition: "middle right" | "top center",
  theme: Theme,
): Data {
  return {
    type: "scatter3d",
    mode: "text",
    x: [line.x[end] ?? 0],
    y: [line.y[end] ?? 0],
    z: [line.z[end] ?? 0],
    text: [mark.label],
    textposition,
    textfont: { color: theme.ink, size: 12 },
    hovertext: [`${mark.label} ends at ${sizeText(mark.bytes)}`],
    hoverinfo: "text",
  };
}
