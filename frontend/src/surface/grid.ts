/** The grid a surface shows: one test and metric by file size (rows) and record size (columns). */

export type Status = "ok" | "failed" | "unmeasurable" | null;
export type Matrix<Value> = Value[][];

/** Where a cache or the memory ends. */
export interface Mark {
  label: string;
  bytes: number;
  axis: "file_size" | "record_size";
}

/** As the server sends it (docs/frontend.md, "Surface"). A matrix has a row a file size, a column a record size. */
export interface Grid {
  test: string;
  metric: string;
  /** Display unit of `mean` and `sd`. */
  unit: string;
  record_sizes: number[];
  file_sizes: number[];
  mean: Matrix<number | null>;
  sd: Matrix<number | null>;
  n: Matrix<number | null>;
  status: Matrix<Status>;
  /** The cell as the table has it, "109.3 ± 0.4", or the tool's words. */
  text: Matrix<string | null>;
  marks: Mark[];
}

/** Checks that every matrix has the size the axes say; throws with the name of the one that does not. */
export function parseGrid(data: unknown): Grid {
  const grid = data as Grid;
  if (grid.record_sizes.length === 0 || grid.file_sizes.length === 0) throw new Error("The surface has no cells");
  for (const name of ["mean", "sd", "n", "status", "text"] as const) {
    const matrix: Matrix<unknown> = grid[name];
    const fits = matrix.length === grid.file_sizes.length && matrix.every((row) => row.length === grid.record_sizes.length);
    if (!fits) throw new Error(`The surface's ${name} is not ${grid.file_sizes.length} × ${grid.record_sizes.length}`);
  }
  return grid;
}

/** Smallest and largest mean; [0, 1] where nothing was measured. */
export function range(grid: Grid): [low: number, high: number] {
  const known = grid.mean.flat().filter((value) => value !== null);
  return known.length === 0 ? [0, 1] : [Math.min(...known), Math.max(...known)];
}

/** The largest mean + sd; 1 where nothing was measured. */
export function highest(grid: Grid): number {
  const tops = grid.mean.flatMap((row, i) =>
    row.flatMap((mean, j) => (mean === null ? [] : [mean + (grid.sd[i]?.[j] ?? 0)])),
  );
  return tops.length === 0 ? 1 : Math.max(...tops);
}

/** The marks of an axis that lie inside its sizes; one outside would stretch the axis over nothing. */
export function marksWithin(grid: Grid, axis: Mark["axis"]): Mark[] {
  const sizes = axis === "file_size" ? grid.file_sizes : grid.record_sizes;
  return grid.marks.filter(
    (mark) => mark.axis === axis && mark.bytes >= Math.min(...sizes) && mark.bytes <= Math.max(...sizes),
  );
}

/** The matrix with rows and columns exchanged. */
export function transposed<Value>(matrix: Matrix<Value>): Matrix<Value> {
  return (matrix[0] ?? []).map((_, column) => matrix.map((row) => row[column] as Value));
}

/**
 * The height of the surface along the line where the row axis is `bytes`: one value a column, null over a hole.
 *
 * `sizes` are the rows' sizes, ascending; between two rows the height is linear in log₂ of the size, as it is drawn.
 */
export function crossing(matrix: Matrix<number | null>, sizes: number[], bytes: number): (number | null)[] {
  const above = sizes.findIndex((size) => size >= bytes);
  if (above < 0) return [];
  const below = sizes[above] === bytes ? above : above - 1;
  const [low, high] = [matrix[below], matrix[above]];
  if (!low || !high) return [];
  const share = below === above ? 0 : position(bytes, sizes[below] ?? bytes, sizes[above] ?? bytes);
  return low.map((value, column) => {
    const next = high[column] ?? null;
    return value === null || next === null ? null : value + (next - value) * share;
  });
}

/** Where `bytes` lies between two sizes, 0 to 1, on a log scale. */
function position(bytes: number, low: number, high: number): number {
  return Math.log2(bytes / low) / Math.log2(high / low);
}
