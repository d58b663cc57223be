/** What a page of surfaces shows: one test by file size (rows) and record size (columns), of one run or of two. */

export type Verdict = "better" | "worse" | "equivalent" | "inconclusive" | "none";
export type Matrix<Value> = Value[][];
export type Axis = "file_size" | "record_size";

/** Where a cache or the memory ends. */
export interface Mark {
  label: string;
  bytes: number;
  axis: Axis;
  /** Which surfaces' machines have it there. */
  of: number[];
}

/** One run's surface. */
export interface Surface {
  label: string;
  value: Matrix<number | null>;
  /** The sd of a mean; null where another statistic is shown. */
  spread: Matrix<number | null>;
  /** What the server says of the cell: "109.3 ± 0.4 MiB/s, n = 5", or the tool's words; null in all of a fine grid. */
  text: Matrix<string | null>;
}

/** The second surface's means divided by the first's; above 1 is better. */
export interface Ratio {
  label: string;
  /** The relative difference that does not matter, 0.05 for 5 %. */
  margin: number;
  value: Matrix<number | null>;
  low: Matrix<number | null>;
  high: Matrix<number | null>;
  verdict: Matrix<Verdict | null>;
  text: Matrix<string | null>;
}

/** As the server sends it (docs/frontend.md, "Surface"). A matrix has a row a file size, a column a record size. */
export interface Grid {
  test: string;
  title: string;
  /** "throughput", "sd of throughput". */
  quantity: string;
  /** Of every value and spread. */
  unit: string;
  record_sizes: number[];
  file_sizes: number[];
  marks: Mark[];
  surfaces: Surface[];
  ratio: Ratio | null;
}

/** A cell by its indices. */
export interface Place {
  row: number;
  column: number;
}

/** As the page holds it: a matrix without anything in it may be null. */
interface Sent extends Omit<Grid, "surfaces" | "ratio"> {
  surfaces: (Omit<Surface, "spread" | "text"> & { spread: Surface["spread"] | null; text: Surface["text"] | null })[];
  ratio: (Omit<Ratio, "text"> & { text: Ratio["text"] | null }) | null;
}

/** Checks that every matrix has the size the axes say; throws with the name of the one that does not. */
export function parseGrid(data: unknown): Grid {
  const grid = filled(data as Sent);
  const [rows, columns] = [grid.file_sizes.length, grid.record_sizes.length];
  if (rows === 0 || columns === 0 || grid.surfaces.length === 0) throw new Error("The surface has no cells");
  const matrices: [string, Matrix<unknown>][] = grid.surfaces.flatMap((surface) =>
    (["value", "spread", "text"] as const).map((name): [string, Matrix<unknown>] => [name, surface[name]]),
  );
  for (const name of ["value", "low", "high", "verdict", "text"] as const) {
    if (grid.ratio) matrices.push([`ratio's ${name}`, grid.ratio[name]]);
  }
  for (const [name, matrix] of matrices) {
    const fits = matrix.length === rows && matrix.every((row) => row.length === columns);
    if (!fits) throw new Error(`The surface's ${name} is not ${rows} × ${columns}`);
  }
  return withTexts(grid);
}

/** With matrices of nulls where there was null. */
function filled({ surfaces, ratio, ...rest }: Sent): Grid {
  const nothing = rest.file_sizes.map(() => rest.record_sizes.map(() => null));
  return {
    ...rest,
    surfaces: surfaces.map(({ spread, text, ...surface }) => ({ ...surface, spread: spread ?? nothing, text: text ?? nothing })),
    ratio: ratio && { ...ratio, text: ratio.text ?? nothing },
  };
}

/** The grid with what is said of each cell: of a fine grid, whose page holds no words, the figure alone. */
function withTexts(grid: Grid): Grid {
  const said = ({ value, spread, text }: Surface) =>
    value.map((row, i) => row.map((figure, j) => text[i]?.[j] ?? figureText(figure, spread[i]?.[j], grid.unit)));
  const compared = ({ value, verdict, text }: Ratio) =>
    value.map((row, i) => row.map((figure, j) => text[i]?.[j] ?? (figure === null ? null : `${figure} ×, ${verdict[i]?.[j] ?? "none"}`)));
  return {
    ...grid,
    surfaces: grid.surfaces.map((surface) => ({ ...surface, text: said(surface) })),
    ratio: grid.ratio && { ...grid.ratio, text: compared(grid.ratio) },
  };
}

function figureText(figure: number | null, spread: number | null | undefined, unit: string): string | null {
  return figure === null ? null : `${figure}${typeof spread === "number" ? ` ± ${spread}` : ""} ${unit}`;
}

/** Smallest and largest value of all surfaces; [0, 1] where nothing was measured. */
export function range(grid: Grid): [low: number, high: number] {
  const known = grid.surfaces.flatMap(({ value }) => value.flat()).filter((value) => value !== null);
  return known.length === 0 ? [0, 1] : [Math.min(...known), Math.max(...known)];
}

/** The largest value + spread of all surfaces; 1 where nothing was measured. */
export function highest(grid: Grid): number {
  const tops = grid.surfaces.flatMap((surface) =>
    surface.value.flatMap((row, i) =>
      row.flatMap((value, j) => (value === null ? [] : [value + (surface.spread[i]?.[j] ?? 0)])),
    ),
  );
  return tops.length === 0 ? 1 : Math.max(...tops);
}

/**
 * The marks of an axis that lie inside its sizes; one outside would stretch the axis over nothing.
 *
 * `of` is the surface they shall belong to. Without it all are there, and those that not every surface has say whose.
 */
export function marksWithin(grid: Grid, axis: Axis, of?: number): { label: string; bytes: number }[] {
  const sizes = axis === "file_size" ? grid.file_sizes : grid.record_sizes;
  const [low, high] = [Math.min(...sizes), Math.max(...sizes)];
  return grid.marks
    .filter((mark) => mark.axis === axis && mark.bytes >= low && mark.bytes <= high)
    .filter((mark) => of === undefined || mark.of.includes(of))
    .map((mark) => ({ bytes: mark.bytes, label: of === undefined ? markLabel(grid, mark) : mark.label }));
}

function markLabel(grid: Grid, { label, of }: Mark): string {
  const owner = grid.surfaces[of[0] ?? 0]?.label ?? "";
  return of.length === grid.surfaces.length ? label : `${label} ${owner}`;
}

/** The matrix with rows and columns exchanged. */
export function transposed<Value>(matrix: Matrix<Value>): Matrix<Value> {
  return (matrix[0] ?? []).map((_, column) => matrix.map((row) => row[column] as Value));
}

/** The cells that are corner of no square of four, so that no surface shows them: null elsewhere; null where all are. */
export function lonely(matrix: Matrix<number | null>): Matrix<number | null> | null {
  const known = (i: number, j: number) => (matrix[i]?.[j] ?? null) !== null;
  const shown = (i: number, j: number) =>
    [-1, 1].some((up) => [-1, 1].some((on) => known(i + up, j) && known(i, j + on) && known(i + up, j + on)));
  const alone = matrix.map((row, i) => row.map((value, j) => (value === null || shown(i, j) ? null : value)));
  return alone.flat().some((value) => value !== null) ? alone : null;
}

/** One column of a matrix. */
export function columnOf<Value>(matrix: Matrix<Value>, column: number): Value[] {
  return matrix.map((row) => row[column] as Value);
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

/** Begin and end of each size's brick in log₂: half way to its neighbours, as Plotly draws them. */
export function bricks(sizes: number[]): [begin: number, end: number][] {
  const at = sizes.map(Math.log2);
  return at.map((here, i) => {
    const [before, after] = [at[i - 1], at[i + 1]];
    const left = here - (before ?? 2 * here - (after ?? here + 1));
    const right = (after ?? 2 * here - (before ?? here - 1)) - here;
    return [here - left / 2, here + right / 2];
  });
}
