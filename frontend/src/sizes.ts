/** Sizes in binary units for people, and ticks for axes of log₂ of a size. */

const UNITS = ["B", "KiB", "MiB", "GiB", "TiB", "PiB"];

/** "64 KiB", "1.5 MiB": three significant digits if a size is not a whole number of its unit. */
export function sizeText(bytes: number): string {
  const unit = Math.min(Math.max(Math.floor(Math.log2(bytes) / 10), 0), UNITS.length - 1);
  return `${Number((bytes / 2 ** (10 * unit)).toPrecision(bytes < 2 ** 10 ? 4 : 3))} ${UNITS[unit] ?? ""}`;
}

export interface Ticks {
  /** log₂ of a size in bytes. */
  values: number[];
  texts: string[];
}

/** Ticks at measured sizes (ascending), from the smallest: about `most` at most, none near the one before it. */
export function sizeTicks(sizes: number[], most: number): Ticks {
  const all = sizes.map(Math.log2);
  const gap = ((all.at(-1) ?? 0) - (all[0] ?? 0)) / Math.max(1, most - 1);
  const values: number[] = [];
  for (const value of all) {
    const before = values.at(-1);
    if (before === undefined || value - before >= gap - 1e-9) values.push(value);
  }
  return { values, texts: values.map((value) => sizeText(Math.round(2 ** value))) };
}

/** The ticks with a named one at each of these sizes, without ticks that would overlap with it. */
export function named({ values, texts }: Ticks, sizes: { label: string; bytes: number }[]): Ticks {
  const room = 0.12 * ((values.at(-1) ?? 0) - (values[0] ?? 0));
  const marks = sizes.map(({ label, bytes }) => ({ value: Math.log2(bytes), text: `${label}, ${sizeText(bytes)}` }));
  const kept = values
    .map((value, i) => ({ value, text: texts[i] ?? "" }))
    .filter((tick) => marks.every(({ value }) => Math.abs(value - tick.value) >= room));
  const all = [...kept, ...marks].sort((one, other) => one.value - other.value);
  return { values: all.map(({ value }) => value), texts: all.map(({ text }) => text) };
}
