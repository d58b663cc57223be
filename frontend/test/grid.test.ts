import assert from "node:assert/strict";
import { test } from "node:test";
import { bricks, columnOf, crossing, highest, marksWithin, parseGrid, range, transposed } from "../src/surface/grid.ts";
import { grid, KIB, pair } from "./sample.ts";

test("a grid whose matrices fit its axes is taken as it is", () => {
  assert.deepEqual(parseGrid(grid), grid);
  assert.deepEqual(parseGrid(pair), pair);
});

test("a fine grid comes without words; then the figures are told", () => {
  const silent = [[null, null], [null, null], [null, null]];
  const [first, second] = pair.surfaces.map((surface) => ({ ...surface, text: null }));
  const found = parseGrid({ ...pair, surfaces: [first, { ...second, spread: null }], ratio: pair.ratio && { ...pair.ratio, text: null } });
  assert.deepEqual(found.surfaces[1]?.spread, silent);
  assert.deepEqual(found.surfaces[0]?.text, [["10 ± 1 MiB/s", "400 ± 4 MiB/s"], ["20 ± 2 MiB/s", null], ["30 MiB/s", null]]);
  assert.deepEqual(found.ratio?.text, [["× 2, better", "÷ 2, worse"], ["× 1.05, inconclusive", null], [null, null]]);
});

test("a matrix that does not fit is named", () => {
  const [surface] = grid.surfaces;
  assert.throws(() => parseGrid({ ...grid, surfaces: [{ ...surface, spread: [[1]] }] }), /surface's spread is not 3 × 2/);
  assert.throws(() => parseGrid({ ...grid, surfaces: [{ ...surface, spread: [[1], [2], [3]] }] }), /spread/);
  assert.throws(() => parseGrid({ ...pair, ratio: { ...pair.ratio, low: [] } }), /ratio's low is not 3 × 2/);
});

test("a grid without sizes or without a surface is refused", () => {
  assert.throws(() => parseGrid({ ...grid, record_sizes: [] }), /no cells/);
  assert.throws(() => parseGrid({ ...grid, surfaces: [] }), /no cells/);
});

test("the range is that of the measured cells of all surfaces", () => {
  assert.deepEqual(range(grid), [10, 400]);
  const wider = pair.surfaces.map((surface, s) => (s === 0 ? surface : { ...surface, value: [[5, 900], [1, 1], [1, 1]] }));
  assert.deepEqual(range({ ...pair, surfaces: wider }), [1, 900]);
  const holes = [[null, null], [null, null], [null, null]];
  const nothing = { ...grid, surfaces: grid.surfaces.map((surface) => ({ ...surface, value: holes })) };
  assert.deepEqual(range(nothing), [0, 1]);
  assert.equal(highest(nothing), 1);
});

test("the highest is the longest whisker", () => {
  assert.equal(highest(grid), 404);
});

test("marks outside the axis are left out", () => {
  assert.deepEqual(marksWithin(grid, "file_size").map(({ label }) => label), ["L2"]);
  assert.deepEqual(marksWithin(grid, "record_size").map(({ label }) => label), ["L1"]);
});

test("a mark that not every surface has stands over its own, and says whose it is elsewhere", () => {
  const labels = (of?: number) => marksWithin(pair, "file_size", of).map(({ label }) => label);
  assert.deepEqual(labels(0), ["L2"]);
  assert.deepEqual(labels(1), ["L2", "memory"]);
  assert.deepEqual(labels(), ["L2", "memory xfs"]);
});

test("transposed", () => {
  assert.deepEqual(transposed([[1, 2], [3, 4], [5, 6]]), [[1, 3, 5], [2, 4, 6]]);
  assert.deepEqual(transposed([]), []);
  assert.deepEqual(columnOf([[1, 2], [3, 4]], 1), [2, 4]);
});

test("a line over the surface is halfway, on the log scale, between two rows", () => {
  const sizes = [64 * KIB, 256 * KIB];
  assert.deepEqual(crossing([[10, 20], [30, null]], sizes, 128 * KIB), [20, null]);
});

test("a line on a row is that row", () => {
  const sizes = [64 * KIB, 256 * KIB];
  assert.deepEqual(crossing([[10, null], [30, 40]], sizes, 64 * KIB), [10, null]);
  assert.deepEqual(crossing([[10, null], [30, 40]], sizes, 256 * KIB), [30, 40]);
});

test("a line outside the surface does not exist", () => {
  assert.deepEqual(crossing([[10], [30]], [64, 256], 512), []);
  assert.deepEqual(crossing([[10], [30]], [64, 256], 32), []);
});

test("bricks meet half way between sizes", () => {
  const sizes = [4096, 32768, 262144, 1048576]; // log₂: 12, 15, 18, 20
  assert.deepEqual(bricks(sizes), [[10.5, 13.5], [13.5, 16.5], [16.5, 19], [19, 21]]);
});
