/** What a number answers when it is asked. The server writes every text; the numbers are for the strip plot alone. */

export interface Detail {
  title: string;
  /** "52.62 ± 0.10 MiB/s" */
  headline: string;
  /** Term and text, in the order they are shown: n, intervals, median, verdicts and why. */
  facts: [term: string, text: string][];
  /** One a round (a run, where several meet), in the unit of the headline; null where it failed. */
  values: (number | null)[];
  /** `values` as text. */
  labels: string[];
  /** What each value is of: "round" or "run". */
  each: string;
  mean: number | null;
  /** 95 % interval of the mean. */
  interval: [low: number, high: number] | null;
  command: string | null;
  links: { text: string; href: string }[];
}
