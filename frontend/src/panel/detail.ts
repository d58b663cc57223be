/** The contents of a number's panel. The server writes every text; the numbers are only for the strip plot. */

export interface Detail {
  title: string;
  /** "52.62 ± 0.10 MiB/s" */
  headline: string;
  /** Terms and texts in the order of the panel: n, intervals, median, verdicts with reasons. */
  facts: [term: string, text: string][];
  /** One for each round (or run, if the cell has several), in the unit of the headline; null if it failed. */
  values: (number | null)[];
  /** `values` as text. */
  labels: string[];
  /** The noun for a value: "round" or "run". */
  each: string;
  mean: number | null;
  /** 95 % interval of the mean. */
  interval: [low: number, high: number] | null;
  command: string | null;
  links: { text: string; href: string }[];
  /** The addresses of the cell's other views, in a comparison. */
  views?: Record<string, string>;
}
