import assert from "node:assert/strict";
import { test } from "node:test";
import { crossing, marksWithin, parseGrid, range, transposed } from "../src/surface/grid.ts";
import { grid, KIB } from "./sample.ts";

test("a grid whose matrices fit its axes is taken as it is", () => {
  assert.equal(parseGrid(grid), grid);
});

test("a matrix that does not fit is named", () => {
  assert.throws(() => parseGrid({ ...grid, sd: [[1]] }), /surface's sd is not 3 × 2/);
  assert.throws(() => parseGrid({ ...grid, status: [["ok"], ["ok"], ["ok"]] }), /status/);
});

test("a grid without sizes is refused", () => {
  assert.throws(() => parseGrid({ ...grid, record_sizes: [] }), /no cells/);
});

test("the range is that of the measured cells", () => {
  assert.deepEqual(range(grid), [10, 400]);
  assert.deepEqual(range({ ...grid, mean: [[null, null]] }), [0, 1]);
});

test("marks outside the axis are left out", () => {
  assert.deepEqual(marksWithin(grid, "file_size").map(({ label }) => label), ["L2"]);
  assert.deepEqual(marksWithin(grid, "record_size").map(({ label }) => label), ["L1"]);
});

test("transposed", () => {
  assert.deepEqual(transposed([[1, 2], [3, 4], [5, 6]]), [[1, 3, 5], [2, 4, 6]]);
  assert.deepEqual(transposed([]), []);
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
