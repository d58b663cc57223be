/**
 * Cells as triangles, which Plotly draws unchanged.
 *
 * Plotly's `surface` is not used: if sizes are not evenly spaced in log₂, it makes a mesh of up to 720 × 720 points for
 * any number of cells, which takes seconds to draw without a GPU (docs/frontend.md, "Surface").
 */
import type { Data } from "plotly.js";
import { bricks, type Grid, type Matrix, transposed } from "./grid.ts";

type Heights = Matrix<number | null>;

/** Points, triangles as indices of points, and the hover text of each point. */
export interface Mesh {
  x: number[];
  y: number[];
  z: number[];
  i: number[];
  j: number[];
  k: number[];
  hovertext: string[];
}

/** The approximate points per side of a coarse grid, interpolated linearly between measured ones. */
const SMOOTH = 48;

/** The surface over every square of four measured cells; `texts` are the cells' hover texts. */
export function sheet(grid: Grid, value: Heights, texts: string[][]): Mesh {
  const parts = Math.ceil(SMOOTH / Math.max(grid.file_sizes.length, grid.record_sizes.length));
  const [xs, ys] = [grid.record_sizes, grid.file_sizes].map((sizes) => divided(sizes.map(Math.log2), parts) as number[]);
  const heights = transposed(transposed(value.map((row) => divided(row, parts))).map((column) => divided(column, parts)));
  const mesh = emptyMesh();
  const points = heights.map((row, i) =>
    row.map((height, j) => {
      const text = texts[Math.round(i / parts)]?.[Math.round(j / parts)] ?? "";
      return height === null ? null : addPoint(mesh, xs?.[j] ?? 0, ys?.[i] ?? 0, height, text);
    }),
  );
  points.forEach((row, i) => {
    row.forEach((here, j) => { addSquare(mesh, [here, row[j + 1], points[i + 1]?.[j + 1], points[i + 1]?.[j]]); });
  });
  return mesh;
}

/** Each known cell as a tile at its own height, for values that must not be interpolated. */
export function tiles(grid: Grid, matrix: Heights, texts: string[][]): Mesh {
  const [columns, rows] = [bricks(grid.record_sizes), bricks(grid.file_sizes)];
  const mesh = emptyMesh();
  matrix.forEach((row, i) => {
    row.forEach((height, j) => {
      const [x, y] = [columns[j], rows[i]];
      if (height === null || !x || !y) return;
      const corner = (across: number, along: number) => addPoint(mesh, across, along, height, texts[i]?.[j] ?? "");
      const [[left, right], [near, far]] = [inside(x), inside(y)];
      addSquare(mesh, [corner(left, near), corner(right, near), corner(right, far), corner(left, far)]);
    });
  });
  return mesh;
}

const [AIR, MOST_AIR] = [0.04, 0.1]; // on each side of a tile in log₂, and as a share of its width

function inside([begin, end]: [number, number]): [number, number] {
  const air = Math.min(AIR, MOST_AIR * (end - begin));
  return [begin + air, end - air];
}

/** The trace of a mesh with its colours; none without triangles, since Plotly would draw a hull of the points. */
export function meshTraces({ x, y, z, i, j, k, hovertext }: Mesh, colours: object): Data[] {
  if (i.length === 0) return [];
  return [{ type: "mesh3d", x, y, z, i, j, k, hovertext, hoverinfo: "text", ...MATT, ...colours } as unknown as Data]; // the types allow only one text
}

/** Light that hardly changes colours. */
const MATT = { lighting: { ambient: 0.85, diffuse: 0.3, specular: 0 } };

/** The line with `parts` even steps between each two of its values; null beside a null. */
function divided(line: (number | null)[], parts: number): (number | null)[] {
  return line.flatMap((here, at) => {
    const next = line[at + 1] ?? null;
    const steps = at === line.length - 1 ? 1 : parts;
    return Array.from({ length: steps }, (_, step) =>
      step === 0 || here === null ? here : next === null ? null : here + ((next - here) * step) / parts,
    );
  });
}

function emptyMesh(): Mesh {
  return { x: [], y: [], z: [], i: [], j: [], k: [], hovertext: [] };
}

/** Adds a point and returns its index. */
function addPoint(mesh: Mesh, x: number, y: number, z: number, text: string): number {
  mesh.hovertext.push(text);
  mesh.x.push(x);
  mesh.y.push(y);
  return mesh.z.push(z) - 1;
}

/** Two triangles between four points in circular order; none if a point is missing. */
function addSquare(mesh: Mesh, [a, b, c, d]: (number | null | undefined)[]): void {
  if (typeof a !== "number" || typeof b !== "number" || typeof c !== "number" || typeof d !== "number") return;
  mesh.i.push(a, a);
  mesh.j.push(b, c);
  mesh.k.push(c, d);
}
