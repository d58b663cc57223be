/** A surface in three dimensions. */
import type { Data } from "plotly.js";
import type { Theme } from "../theme.ts";
import { baseLayout, COLOURS, isMemory, type Figure, hoverTexts, log2, markedAxis, SAME_VIEW, valueAxis, valueTitle } from "./figure.ts";
import { surfaceOf } from "./flat.ts";
import { type Axis, crossing, type Grid, lonely, marksWithin, type Matrix, range, transposed } from "./grid.ts";
import { type Mesh, meshTraces, sheet, tiles } from "./mesh.ts";

/** The height of lines above the surface, as a share of the whole height; on the surface they would be hidden. */
const LIFT = 0.01;
const HAIR = 0.003;

/** The initial camera, with small files and large records in front. */
const EYE = { x: 1.22, y: -1.5, z: 0.78 };

export interface Camera {
  eye: { x: number; y: number; z: number };
  center: { x: number; y: number; z: number };
}

/** `distance` scales the distance of the eye; 1 fills a figure that is about as wide as it is high. */
export function firstCamera(distance: number): Camera {
  return {
    eye: { x: EYE.x * distance, y: EYE.y * distance, z: EYE.z * distance },
    center: { x: -0.06, y: -0.03, z: -0.22 },
  };
}

/** Surface `of`, seen by `camera`. */
export function solidFigure(grid: Grid, of: number, theme: Theme, camera: Camera): Figure {
  const { value, text } = surfaceOf(grid, of);
  const [, high] = range(grid);
  const { shade, cmin, cmax } = shades(grid);
  const texts = hoverTexts(grid, text);
  const coloured = (mesh: Mesh) =>
    meshTraces(mesh, { intensity: mesh.z.map(shade), colorscale: COLOURS, cmin, cmax, showscale: false });
  const alone = lonely(value);
  // One scale for all surfaces; points at its end are clipped. No tick at 0: its label would overlap that of a size.
  const zaxis = { ...valueAxis(valueTitle(grid), theme), range: [0, high * 1.02], tickvals: heightTicks(high) };
  return {
    data: [
      ...coloured(sheet(grid, value, texts)),
      ...(alone ? coloured(tiles(grid, alone, texts)) : []),
      gridLines(grid, value, theme),
      ...markLines(grid, of, value, theme),
      ...memoryFloor(grid, of, theme),
    ],
    layout: solidLayout(grid, theme, camera, zaxis, of),
  };
}

/** Three to six round heights above 0. */
export function heightTicks(high: number): number[] {
  const rough = high / 3;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * Math.max(...[1, 2, 5].filter((round) => round * power <= rough));
  return Array.from({ length: Math.floor(high / step) }, (_, i) => (i + 1) * step);
}

/** The position of a height on the scale of colours, which is that of the heat maps, and the ends of the scale. */
export function shades(grid: Grid): { shade: (height: number) => number; cmin: number; cmax: number } {
  const { low, high, logarithmic } = grid.colours ?? { low: 0, high: 1, logarithmic: false };
  const scaled = logarithmic ? Math.log : (value: number) => value;
  return { shade: (height) => scaled(Math.min(high, Math.max(low, height))), cmin: scaled(low), cmax: scaled(high) };
}

/** The layout of a figure in three dimensions over both sizes; `of` limits the marks on the axes to one surface. */
export function solidLayout(grid: Grid, theme: Theme, camera: Camera, zaxis: object, of?: number): Figure["layout"] {
  const bare = { showbackground: false, showspikes: false };
  const sizes = (title: string, axis: Axis) => ({ ...markedAxis(title, grid, axis, theme, 6, of), ...bare });
  return {
    ...baseLayout(theme),
    margin: { l: 0, r: 0, t: 0, b: 0 },
    scene: {
      xaxis: sizes("record size", "record_size"),
      yaxis: sizes("file size", "file_size"),
      zaxis: { ...zaxis, ...bare },
      aspectmode: "manual",
      aspectratio: { x: 1.5, y: 1.7, z: 0.72 },
      camera,
      dragmode: "turntable",
      uirevision: SAME_VIEW,
    },
  };
}

/**
 * The measured grid as hairlines on the surface, which separate measured points from interpolation.
 *
 * If the grid is so fine that its lines would cover the colours, only every second, third, … line is drawn. Their colour
 * is opaque, because a transparent trace would make Plotly draw the scene twice in every frame.
 */
function gridLines(grid: Grid, value: Matrix<number | null>, theme: Theme): Data {
  const [xs, ys] = [log2(grid.record_sizes), log2(grid.file_sizes)];
  const lifted = raised(value, range(grid)[1] * HAIR);
  const rows = thinned(ys).map((i) => ({ x: xs, y: xs.map(() => ys[i] ?? 0), z: lifted[i] ?? [] }));
  const columns = thinned(xs).map((j) => ({ x: ys.map(() => xs[j] ?? 0), y: ys, z: lifted.map((row) => row[j] ?? null) }));
  return lineTrace([...rows, ...columns], { color: theme.ink, width: 1 });
}

const MOST_LINES = 20;

/** The indices of `all`, or evenly spaced ones beginning with the first. */
function thinned(all: number[]): number[] {
  const step = Math.ceil(all.length / MOST_LINES);
  return all.map((_, i) => i).filter((i) => i % step === 0);
}

function raised(matrix: Matrix<number | null>, by: number): Matrix<number | null> {
  return matrix.map((row) => row.map((height) => (height === null ? null : height + by)));
}

/** Lines over the surface at the sizes of L1, L2, L3 and memory; their names are on the axes. */
function markLines(grid: Grid, of: number, value: Matrix<number | null>, theme: Theme): Data[] {
  const lift = range(grid)[1] * LIFT;
  const lines = (["file_size", "record_size"] as const).flatMap((axis) =>
    marksWithin(grid, axis, of).map(({ bytes }) => markLine(grid, value, axis, bytes, lift)),
  );
  return lines.length > 0 ? [lineTrace(lines, { color: theme.ink, width: 4 })] : [];
}

/** The floor under the files that fit in memory, in grey; its name is on the axis. */
function memoryFloor(grid: Grid, of: number, theme: Theme): Data[] {
  const [left, right] = ends(grid.record_sizes);
  const [near] = ends(grid.file_sizes);
  return marksWithin(grid, "file_size", of).filter(({ label }) => isMemory(label)).map(({ bytes }) => {
    const far = Math.log2(bytes);
    const corners = { x: [left, right, right, left], y: [near, near, far, far], z: [0, 0, 0, 0] };
    const triangles = { i: [0, 0], j: [1, 2], k: [2, 3] };
    return { type: "mesh3d", ...corners, ...triangles, color: theme.rule, hoverinfo: "skip", showscale: false };
  });
}

function ends(sizes: number[]): [number, number] {
  return [Math.log2(Math.min(...sizes)), Math.log2(Math.max(...sizes))];
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

/** Lines as one trace with gaps; a trace for each line would cost milliseconds in every frame of a rotation. */
function lineTrace(lines: Line[], line: { color: string; width: number }): Data {
  const joined = (name: "x" | "y" | "z") => lines.flatMap((points) => [...points[name], null]) as number[]; // null is a gap
  return { type: "scatter3d", mode: "lines", x: joined("x"), y: joined("y"), z: joined("z"), line, hoverinfo: "skip" };
}
