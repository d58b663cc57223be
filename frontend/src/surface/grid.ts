/** The data of a surface page: one test by file size (rows) and record size (columns), of one run or two. */

export type Verdict = "better" | "worse" | "equivalent" | "inconclusive" | "none";
export type Matrix<Value> = Value[][];
export type Axis = "file_size" | "record_size";

/** The size of a cache or of the memory. */
export interface Mark {
  label: string;
  bytes: number;
  axis: Axis;
  /** The surfaces whose machines have this size. */
  of: number[];
}

/** One run's surface. */
export interface Surface {
  label: string;
  /** The colour of its line in slices, 1 to 7: that of its file system. */
  colour: number;
  value: Matrix<number | null>;
  /** The sd of a mean; null for other statistics. */
  spread: Matrix<number | null>;
  /** The server's text for the cell: "109.3 ± 0.4 MiB/s, n = 5", or the tool's message; null in a fine grid. */
  text: Matrix<string | null>;
}

/** The second surface's figures divided by the first's. */
export interface Ratio {
  label: string;
  /** The equivalence margin as a fraction, 0.05 for 5 %. */
  margin: number;
  /** Whether a ratio above 1 is better. */
  higher_is_better: boolean;
  value: Matrix<number | null>;
  low: Matrix<number | null>;
  high: Matrix<number | null>;
  verdict: Matrix<Verdict | null>;
  text: Matrix<string | null>;
}

/** The server's format (docs/frontend.md, "Surface"). A matrix has a row for each file size, a column for each record size. */
export interface Grid {
  test: string;
  title: string;
  /** "throughput", "sd of throughput". */
  quantity: string;
  /** The unit of every value and spread. */
  unit: string;
  record_sizes: number[];
  file_sizes: number[];
  marks: Mark[];
  surfaces: Surface[];
  ratio: Ratio | null;
  /** The scale of colours in the shown unit; null without a value. */
  colours: Colours | null;
}

/** Values outside have the colour of the end. */
export interface Colours {
  low: number;
  high: number;
  logarithmic: boolean;
}

/** A cell by its indices. */
export interface Place {
  row: number;
  column: number;
}

/** The format in the page, where an empty matrix may be null. */
interface Sent extends Omit<Grid, "surfaces" | "ratio"> {
  surfaces: (Omit<Surface, "spread" | "text"> & { spread: Surface["spread"] | null; text: Surface["text"] | null })[];
  ratio: (Omit<Ratio, "text"> & { text: Ratio["text"] | null }) | null;
}

/** Checks the size of every matrix against the axes; throws an error with the name of a wrong one. */
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

/** Replaces null by matrices of nulls. */
function filled({ surfaces, ratio, ...rest }: Sent): Grid {
  const nothing = rest.file_sizes.map(() => rest.record_sizes.map(() => null));
  return {
    ...rest,
    surfaces: surfaces.map(({ spread, text, ...surface }) => ({ ...surface, spread: spread ?? nothing, text: text ?? nothing })),
    ratio: ratio && { ...ratio, text: ratio.text ?? nothing },
  };
}

/** The grid with a text for each cell; in a fine grid, whose page has no texts, the number only. */
function withTexts(grid: Grid): Grid {
  const figures = ({ value, spread, text }: Surface) =>
    value.map((row, i) => row.map((figure, j) => text[i]?.[j] ?? figureText(figure, spread[i]?.[j], grid.unit)));
  const compared = ({ value, verdict, text }: Ratio) =>
    value.map((row, i) => row.map((figure, j) => text[i]?.[j] ?? (figure === null ? null : `${factorText(figure)}, ${verdict[i]?.[j] ?? "none"}`)));
  return {
    ...grid,
    surfaces: grid.surfaces.map((surface) => ({ ...surface, text: figures(surface) })),
    ratio: grid.ratio && { ...grid.ratio, text: compared(grid.ratio) },
  };
}

/** A ratio as `× 1.2`, `1` or `÷ 1.2`, with three digits. */
export function factorText(ratio: number): string {
  const [sign, factor] = ratio < 1 ? ["÷", 1 / ratio] : ["×", ratio];
  return ratio === 1 ? "1" : `${sign} ${Number(factor.toPrecision(3))}`;
}

function figureText(figure: number | null, spread: number | null | undefined, unit: string): string | null {
  return figure === null ? null : `${figure}${typeof spread === "number" ? ` ± ${spread}` : ""} ${unit}`;
}

/** Smallest and largest value of all surfaces; [0, 1] without any value. */
export function range(grid: Grid): [low: number, high: number] {
  const known = grid.surfaces.flatMap(({ value }) => value.flat()).filter((value) => value !== null);
  return known.length === 0 ? [0, 1] : [Math.min(...known), Math.max(...known)];
}

/** The largest value + spread of all surfaces; 1 without any value. */
export function highest(grid: Grid): number {
  const tops = grid.surfaces.flatMap((surface) =>
    surface.value.flatMap((row, i) =>
      row.flatMap((value, j) => (value === null ? [] : [value + (surface.spread[i]?.[j] ?? 0)])),
    ),
  );
  return tops.length === 0 ? 1 : Math.max(...tops);
}

/**
 * The marks of an axis within its sizes; a mark outside would stretch the axis.
 *
 * `of` limits them to one surface. Without it all are returned, and marks that not every surface has name theirs.
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

/** The cells that are in no square of four, so that no surface shows them, null elsewhere; null if all cells are such. */
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
 * The height of the surface along the line at `bytes` on the row axis: one value for each column, null over a hole.
 *
 * `sizes` are the rows' sizes, ascending; between two rows the height is linear in log₂ of the size, as in the drawing.
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

/** The position of `bytes` between two sizes, 0 to 1, on a log scale. */
function position(bytes: number, low: number, high: number): number {
  return Math.log2(bytes / low) / Math.log2(high / low);
}

/** Begin and end of each size's brick in log₂, half way to its neighbours, as in Plotly. */
export function bricks(sizes: number[]): [begin: number, end: number][] {
  const at = sizes.map(Math.log2);
  return at.map((here, i) => {
    const [before, after] = [at[i - 1], at[i + 1]];
    const left = here - (before ?? 2 * here - (after ?? here + 1));
    const right = (after ?? 2 * here - (before ?? here - 1)) - here;
    return [here - left / 2, here + right / 2];
  });
}
