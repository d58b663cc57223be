import assert from "node:assert/strict";
import { test } from "node:test";
import type { Ratio } from "../src/surface/grid.ts";
import { ratioSlice, ratioTicks } from "../src/surface/ratio.ts";
import { pair, theme } from "./sample.ts";

type Plain = Record<string, unknown>;
const traces = (figure: { data: unknown[] }) => figure.data as Plain[];
const { ratio } = pair as { ratio: Ratio };
const place = { row: 0, column: 0 };

test("ticks are ratios, the middle one is 1, none lies beyond", () => {
  assert.deepEqual(ratioTicks(2).texts, ["÷ 4", "÷ 2", "1", "× 2", "× 4"]);
  assert.deepEqual(ratioTicks(1).texts, ["÷ 2", "÷ 1.5", "1", "× 1.5", "× 2"]);
  for (const limit of [0.0704, 0.3, 1, 2.5, 9, 20]) {
    const { values, texts } = ratioTicks(limit);
    assert.ok(values.length >= 3 && values.length <= 9, `${values.length} ticks`);
    assert.equal(texts[(texts.length - 1) / 2], "1");
    assert.ok(values.every((value) => Math.abs(value) <= limit + 1e-6));
  }
});

test("the slice has intervals, a symbol a verdict, and the margin round 1", () => {
  const figure = ratioSlice(pair, ratio, theme, place);
  const [line = {}] = traces(figure);
  assert.deepEqual(line.y, [1, Math.log2(1.05), null]);
  const whiskers = line.error_y as { array: number[]; arrayminus: number[] };
  assert.ok(Math.abs((whiskers.array[0] ?? 0) - Math.log2(2.1 / 2)) < 1e-12);
  assert.ok(Math.abs((whiskers.arrayminus[0] ?? 0) - Math.log2(2 / 1.9)) < 1e-12);
  assert.deepEqual((line.marker as Plain).symbol, ["triangle-up", "circle-open", "x-thin-open"]);
  const [band] = figure.layout.shapes ?? [];
  assert.deepEqual([band?.y0, band?.y1], [-Math.log2(1.05), Math.log2(1.05)]);
});
