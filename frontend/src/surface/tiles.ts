/** Cells as tiles, each at its own height, for what nothing shall be drawn between. */
import { bricks, type Grid, type Matrix } from "./grid.ts";

const EDGE = 0.04; // a hair of air round each tile

/** A matrix as tiles: each cell four corners of the same height, and a row and a column of gaps after it. */
export function tiled(grid: Grid, matrix: Matrix<number | null>, texts: string[][]) {
  const corners = (sizes: number[]) => bricks(sizes).flatMap(([begin, end]) => [begin + EDGE, end - EDGE, end]);
  const z: (number | null)[][] = [];
  const hovertext: string[][] = [];
  matrix.forEach((row, i) => {
    const line = row.flatMap((height) => [height, height, null]);
    const said = (texts[i] ?? []).flatMap((text) => [text, text, ""]);
    z.push(line, line, line.map(() => null));
    hovertext.push(said, said, said);
  });
  return { x: corners(grid.record_sizes), y: corners(grid.file_sizes), z, hovertext: hovertext as unknown as string[] };
}
