/** The strip plot of a panel: one dot for each round, left to right, over the mean and its interval. */

import type { Detail } from "./detail.ts";

const SVG = "http://www.w3.org/2000/svg";
export const WIDTH = 300;
export const HEIGHT = 72;
const LINE = 12; // height of a line of text
const EDGE = { left: 8, right: 78, y: 10 };

export interface Strip {
  dots: { x: number; y: number; round: number }[];
  /** Positions of rounds without a value. */
  absent: { x: number; round: number }[];
  mean: number | null;
  band: { top: number; bottom: number } | null;
  /** y of the largest and the smallest value. */
  top: number;
  bottom: number;
}

/** Positions in a WIDTH × HEIGHT box; undefined without any value. */
export function strip(
  values: (number | null)[],
  mean: number | null,
  interval: [number, number] | null,
): Strip | undefined {
  const known = values.filter((value) => value !== null);
  if (known.length === 0) return undefined;
  const low = Math.min(...known, ...(interval ?? []));
  const high = Math.max(...known, ...(interval ?? []));
  const y = (value: number) => {
    if (high === low) return HEIGHT / 2;
    return EDGE.y + ((high - value) / (high - low)) * (HEIGHT - 2 * EDGE.y);
  };
  const x = (round: number) => EDGE.left + ((round + 0.5) / values.length) * (WIDTH - EDGE.left - EDGE.right);
  return {
    dots: values.flatMap((value, i) => (value === null ? [] : [{ x: x(i), y: y(value), round: i + 1 }])),
    absent: values.flatMap((value, i) => (value === null ? [{ x: x(i), round: i + 1 }] : [])),
    mean: mean === null ? null : y(mean),
    band: interval && { top: y(interval[1]), bottom: y(interval[0]) },
    top: y(Math.max(...known)),
    bottom: y(Math.min(...known)),
  };
}

/** The plot as SVG. `labels` are the values as text; the largest and the smallest are written at the right. */
export function drawStrip(document: Document, plot: Strip, detail: Pick<Detail, "values" | "labels" | "each">): SVGSVGElement {
  const { values, labels, each } = detail;
  const svg = shape(document, "svg", { class: "strip", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img" });
  svg.setAttribute("aria-label", `Values by ${each}: ${labels.join(", ")}`);
  const end = WIDTH - EDGE.right;
  if (plot.band) {
    const { top, bottom } = plot.band;
    svg.append(shape(document, "rect", { class: "band", x: 0, y: top, width: end, height: Math.max(bottom - top, 1) }));
  }
  if (plot.mean !== null) {
    svg.append(shape(document, "line", { class: "centre", x1: 0, x2: end, y1: plot.mean, y2: plot.mean }));
  }
  for (const { x, y, round } of plot.dots) {
    const dot = shape(document, "circle", { class: "dot", cx: x, cy: y, r: 3 });
    dot.append(text(document, "title", `${each} ${round}: ${labels[round - 1] ?? ""}`));
    svg.append(dot);
  }
  for (const { x, round } of plot.absent) {
    const cross = shape(document, "path", { class: "absent", d: `M${x - 3} ${HEIGHT - 8}l6 6m0 -6l-6 6` });
    cross.append(text(document, "title", `${each} ${round} failed`));
    svg.append(cross);
  }
  svg.append(...ends(document, plot, values, labels));
  return svg;
}

/** The largest and the smallest value as text; one text if they are equal. */
function ends(document: Document, plot: Strip, values: (number | null)[], labels: string[]): SVGElement[] {
  const known = values.filter((value) => value !== null);
  const at = (value: number, y: number) => {
    const label = shape(document, "text", { x: WIDTH - EDGE.right + 6, y: y + 3.5 });
    label.textContent = labels[values.indexOf(value)] ?? "";
    return label;
  };
  const [high, low] = [Math.max(...known), Math.min(...known)];
  if (high === low) return [at(high, plot.top)];
  const apart = Math.max(0, LINE - (plot.bottom - plot.top)) / 2; // so that they do not overlap
  return [at(high, plot.top - apart), at(low, plot.bottom + apart)];
}

function shape<Name extends keyof SVGElementTagNameMap>(
  document: Document,
  name: Name,
  attributes: Record<string, string | number>,
): SVGElementTagNameMap[Name] {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  return element;
}

function text(document: Document, name: "title", content: string): SVGElement {
  const element = document.createElementNS(SVG, name);
  element.textContent = content;
  return element;
}
