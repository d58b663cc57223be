import assert from "node:assert/strict";
import { test } from "node:test";
import type { Ratio } from "../src/surface/grid.ts";
import { DIVERGING, heights, ratioSlice, ratioSolid, ratioTicks, reach } from "../src/surface/ratio.ts";
import { firstCamera } from "../src/surface/solid.ts";
import { pair, theme } from "./sample.ts";

type Plain = Record<string, unknown>;
const traces = (figure: { data: unknown[] }) => figure.data as Plain[];
const { ratio } = pair as { ratio: Ratio };
const place = { row: 0, column: 0 };

test("heights are log₂ of the ratio, established ones apart from the rest", () => {
  assert.deepEqual(heights(ratio, "established"), [[1, -1], [null, null], [null, null]]);
  assert.deepEqual(heights(ratio, "grey"), [[null, null], [Math.log2(1.05), null], [null, null]]);
});

test("colours reach as far on one side of 1 as on the other, 5 % at least", () => {
  assert.equal(reach(ratio), 1);
  assert.equal(reach({ ...ratio, verdict: [["none", "none"], ["none", "none"], [null, null]] }), Math.log2(1.05));
});

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

test("every established cell is a tile in colours, every other one a grey tile, on the plane of 1", () => {
  const camera = firstCamera(1);
  const figure = ratioSolid(pair, ratio, theme, camera);
  const [grey, coloured, plane] = traces(figure);
  assert.deepEqual([grey?.color, grey?.intensity], [theme.insignificant, undefined]);
  assert.deepEqual([coloured?.cmin, coloured?.cmax, coloured?.colorscale], [-1, 1, DIVERGING]);
  assert.deepEqual(plane?.z, [0, 0, 0, 0, 0]);
  assert.deepEqual(figure.layout.scene?.camera, camera);
});

test("where lower is better, the smaller ratio has the colour of better", () => {
  const scale = (higher_is_better: boolean) => traces(ratioSolid(pair, { ...ratio, higher_is_better }, theme, firstCamera(1)))[1]?.reversescale;
  assert.deepEqual([scale(true), scale(false)], [false, true]);
});

test("where nothing is established there is no trace of it", () => {
  const grey = { ...ratio, verdict: ratio.verdict.map((row) => row.map(() => "none" as const)) };
  const types = traces(ratioSolid(pair, grey, theme, firstCamera(1))).map(({ type }) => type);
  assert.deepEqual(types, ["mesh3d", "scatter3d"]);
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
