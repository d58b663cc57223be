import assert from "node:assert/strict";
import { beforeEach, describe, test } from "node:test";
import type { PlotlyApi } from "../src/surface/view.ts";
import { events, localTime, positions, type Trend } from "../src/trend/data.ts";
import { trendFigure } from "../src/trend/figure.ts";
import { TrendView } from "../src/trend/view.ts";
import { one, page } from "./dom.ts";
import { theme } from "./sample.ts";

const [OLD, NEW] = ["6.1.0-30", "6.1.0-31"];
const UPGRADE = `kernel ${OLD} → ${NEW}`;

function point(day: number, kernel: string, mean: number | null) {
  const [low, high] = mean === null ? [null, null] : [mean - 1, mean + 2];
  const text = mean === null ? "write: <I/O error>" : `${mean}.0 ± 1.0`;
  return { time: `2026-11-${day}T12:00:00+00:00`, kernel, mean, low, high, n: mean === null ? null : 6, text };
}

const trend: Trend = {
  by: "time",
  label: "Write",
  metric_label: "throughput",
  unit: "MiB/s",
  kernels: [OLD, NEW],
  series: [
    {
      label: "ext4",
      points: [point(10, OLD, 100), point(12, OLD, null), point(14, NEW, 50)],
      segments: [{ first: 0, last: 1, level: 100, text: "100" }, { first: 2, last: 2, level: 50, text: "50" }],
      outliers: [1],
      change_points: [{ at: 2, kind: "worse", change: "−50 %" }],
      changes: [{ at: 2, text: UPGRADE }],
    },
    {
      label: "xfs",
      points: [point(11, OLD, 10), point(13, NEW, 11), point(15, OLD, 10), point(17, NEW, 11)],
      segments: [],
      outliers: [],
      change_points: [],
      changes: [{ at: 1, text: UPGRADE }, { at: 2, text: `kernel ${NEW} → ${OLD}` }, { at: 3, text: UPGRADE }],
    },
  ],
};
const byKernel: Trend = { ...trend, by: "kernel" };
const COLOURS = ["blue", "red"];

type Plain = Record<string, unknown>;
const drawn = (of: Trend, width = 1000) => trendFigure(of, theme, COLOURS, width);
const traces = (of: Trend) => drawn(of).data as unknown as Plain[];
const first = <T>(list: readonly T[] | undefined): T => {
  const found = list?.[0];
  assert.ok(found !== undefined);
  return found;
};

test("times are those of the reader's clock", () => {
  const at = new Date(2026, 10, 20, 15, 2, 11);
  assert.equal(localTime(at.toISOString()), "2026-11-20 15:02:11");
});

test("by kernel the runs of one stand side by side over its name", () => {
  const at = trend.series.map((series) => positions(byKernel, series).map((x) => Number(x).toFixed(1)));
  assert.deepEqual(at, [["-0.2", "0.2", "1.0"], ["-0.2", "0.8", "0.2", "1.2"]]);
  assert.deepEqual(drawn(byKernel).layout.xaxis?.ticktext, [OLD, NEW]);
});

test("names of kernels are turned where they have no room", () => {
  assert.equal(drawn(byKernel, 1000).layout.xaxis?.tickangle, undefined);
  assert.equal(drawn(byKernel, 200).layout.xaxis?.tickangle, -35);
});

test("a change of the machine is one line for all series, halfway before the first run that shows it", () => {
  const found = events(trend);
  assert.deepEqual(found.map(({ text }) => text), [UPGRADE, `kernel ${NEW} → ${OLD}`, UPGRADE]);
  const days = ["12T12", "14T12", "16T12"].map((day) => localTime(`2026-11-${day}:00:00+00:00`));
  assert.deepEqual(found.map(({ x }) => x), days);
  assert.deepEqual(drawn(trend).layout.shapes?.map(({ x0 }) => String(x0)), days);
  assert.deepEqual(first(drawn(trend).layout.annotations).hovertext, UPGRADE);
});

test("points carry the interval of their mean and what a pointer reads; one set aside is open", () => {
  const runs = first(traces(trend));
  assert.deepEqual(runs.y, [100, null, 50]);
  const { array, arrayminus } = runs.error_y as Plain;
  assert.deepEqual([array, arrayminus], [[2, 0, 2], [1, 0, 1]]);
  assert.deepEqual((runs.marker as Plain).symbol, ["circle", "circle-open", "circle"]);
  assert.match((runs.hovertext as string[])[0] ?? "", /· 6\.1\.0-30<br>100\.0 ± 1\.0 MiB\/s, n = 6$/);
  assert.match((runs.hovertext as string[])[1] ?? "", /&lt;I\/O error&gt;/);
});

test("each level is a line and each change point has its sign at the level before", () => {
  const levels = traces(trend).filter(({ mode }) => mode === "lines");
  assert.deepEqual(levels.map(({ y }) => y), [[100, 100], [50, 50]]);
  const sign = drawn(trend).layout.annotations?.at(-1);
  assert.deepEqual([sign?.text, sign?.y, sign?.font?.color], ["▼ −50 %", 100, "blue"]);
});

test("a single series needs no legend", () => {
  assert.equal(drawn(trend).layout.showlegend, true);
  assert.equal(drawn({ ...trend, series: trend.series.slice(0, 1) }).layout.showlegend, false);
});

describe("the view of a trend", () => {
  let figures: number;
  let themeChanged: () => void;
  const recorder = { react: () => Promise.resolve((figures += 1)) } as unknown as PlotlyApi;

  beforeEach(() => {
    figures = 0;
    const matchMedia = () => ({ addEventListener: (_: string, handler: () => void) => { themeChanged = handler; } });
    Object.assign(globalThis, { matchMedia });
  });

  test("is drawn, and anew in another theme", async () => {
    const document = page('<figure data-trend="t"><div data-plot="trend"></div></figure>');
    await new TrendView(one(document, "[data-trend]"), trend, recorder).start();
    themeChanged();
    assert.equal(figures, 2);
  });

  test("a page without a place for it is a mistake", async () => {
    const view = new TrendView(one(page("<figure data-trend></figure>"), "[data-trend]"), trend, recorder);
    await assert.rejects(view.start(), /no place for its chart/);
  });
});
