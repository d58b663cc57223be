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

/** Ticks at whole powers of two from the smallest to the largest size, at most `most` of them and evenly spaced. */
export function sizeTicks(sizes: number[], most: number): Ticks {
  const first = Math.ceil(Math.log2(Math.min(...sizes)));
  const last = Math.floor(Math.log2(Math.max(...sizes)));
  const step = Math.max(1, Math.ceil((last - first) / Math.max(1, most - 1)));
  const values: number[] = [];
  for (let value = first; value <= last; value += step) values.push(value);
  return { values, texts: values.map((value) => sizeText(2 ** value)) };
}

/** The ticks with a named one at each of these sizes, without ticks that would overlap with it. */
export function named({ values, texts }: Ticks, sizes: { label: string; bytes: number }[]): Ticks {
  const [first = 0, second = first] = values;
  const room = 0.6 * (second - first);
  const marks = sizes.map(({ label, bytes }) => ({ value: Math.log2(bytes), text: `${label}, ${sizeText(bytes)}` }));
  const kept = values
    .map((value, i) => ({ value, text: texts[i] ?? "" }))
    .filter((tick) => marks.every(({ value }) => Math.abs(value - tick.value) >= room));
  const all = [...kept, ...marks].sort((one, other) => one.value - other.value);
  return { values: all.map(({ value }) => value), texts: all.map(({ text }) => text) };
}
