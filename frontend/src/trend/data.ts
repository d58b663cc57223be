/** What a trend shows, as the server sends it (docs/frontend.md, "Trend"), and where its runs stand on the axis. */

export interface Point {
  /** ISO 8601 with its offset. */
  time: string;
  kernel: string;
  /** In the shown unit; null where the run has no figure. */
  mean: number | null;
  low: number | null;
  high: number | null;
  n: number | null;
  /** "109.3 ± 0.4", or why there is no figure. */
  text: string;
}

/** Runs `first` to `last` have one level. */
export interface Segment {
  first: number;
  last: number;
  level: number;
  text: string;
}

export interface ChangePoint {
  at: number;
  kind: "better" | "worse";
  /** "+8.2 %" */
  change: string;
}

/** Something else than the figures changed before run `at`. */
export interface Change {
  at: number;
  text: string;
}

export interface Series {
  label: string;
  points: Point[];
  segments: Segment[];
  outliers: number[];
  change_points: ChangePoint[];
  changes: Change[];
}

export interface Trend {
  by: "time" | "kernel";
  label: string;
  metric_label: string;
  unit: string;
  /** In their order; the axis of a trend by kernel. */
  kernels: string[];
  series: Series[];
}

export type X = string | number;

/**
 * Where each run of a series stands: at its time, or, by kernel, side by side over their kernel (kernel i reaches from
 * i − 0.4 to i + 0.4).
 */
export function positions(trend: Trend, series: Series): X[] {
  if (trend.by === "time") return series.points.map(({ time }) => localTime(time));
  const counts = new Map<string, number>();
  for (const { kernel } of series.points) counts.set(kernel, (counts.get(kernel) ?? 0) + 1);
  const seen = new Map<string, number>();
  return series.points.map(({ kernel }) => {
    const [place, count] = [seen.get(kernel) ?? 0, counts.get(kernel) ?? 1];
    seen.set(kernel, place + 1);
    return trend.kernels.indexOf(kernel) + 0.8 * ((place + 0.5) / count - 0.5);
  });
}

/** "2026-11-20 15:02:11" in the zone of the browser: Plotly knows no zones. */
export function localTime(time: string): string {
  return localOf(Date.parse(time));
}

function localOf(milliseconds: number): string {
  const zone = new Date(milliseconds).getTimezoneOffset() * 60_000;
  return new Date(milliseconds - zone).toISOString().slice(0, 19).replace("T", " ");
}

/** Halfway from the run before run `at`: nobody knows when between the two something changed. */
function halfway(trend: Trend, series: Series, at: number): X {
  const [before, after] = [at - 1, at].map((i) => series.points[i]?.time ?? "");
  if (trend.by === "time") return localOf((Date.parse(before ?? "") + Date.parse(after ?? "")) / 2);
  const x = positions(trend, series);
  return (Number(x[at - 1]) + Number(x[at])) / 2;
}

export interface Event {
  x: X;
  text: string;
}

/**
 * The changes of all series, each once: what changed on the machine stands in every series, at its own next run. The
 * first, second, … time that a series says the same is the first, second, … time for all.
 */
export function events(trend: Trend): Event[] {
  const found = new Map<string, Event>();
  for (const series of trend.series) {
    const times = new Map<string, number>();
    for (const { at, text } of series.changes) {
      const time = (times.get(text) ?? 0) + 1;
      times.set(text, time);
      const [key, here] = [`${time} ${text}`, halfway(trend, series, at)];
      const other = found.get(key);
      if (!other || here < other.x) found.set(key, { x: here, text });
    }
  }
  return [...found.values()];
}
