import assert from "node:assert/strict";
import { test } from "node:test";
import type { Grid, Matrix } from "../src/surface/grid.ts";
import { type Mesh, meshTraces, sheet, tiles } from "../src/surface/mesh.ts";
import { grid, KIB } from "./sample.ts";

const sizes = (count: number) => Array.from({ length: count }, (_, i) => KIB * (i + 1));
const square = (count: number): Grid => ({ ...grid, file_sizes: sizes(count), record_sizes: sizes(count) });
const filled = (count: number, of: (i: number, j: number) => number | null): Matrix<number | null> =>
  sizes(count).map((_, i) => sizes(count).map((_, j) => of(i, j)));
const texts = (count: number) => sizes(count).map((_, i) => sizes(count).map((_, j) => `${i}, ${j}`));
const corners = ({ x, y, z }: Mesh) => x.map((across, at) => [across, y[at], z[at]]);

test("a fine grid is drawn by its measured points, two triangles a square", () => {
  const mesh = sheet(square(60), filled(60, (i, j) => i * j), texts(60));
  assert.equal(mesh.z.length, 60 * 60);
  assert.equal(mesh.i.length, 2 * 59 * 59);
  assert.deepEqual(mesh.hovertext.slice(0, 2), ["0, 0", "0, 1"]);
});

test("between the measured points of a coarse grid it is straight along both sizes", () => {
  const mesh = sheet(square(2), [[0, 48], [96, 192]], texts(2));
  assert.equal(mesh.z.length, 25 * 25);
  const points = corners(mesh);
  assert.deepEqual(points[0], [10, 10, 0]);
  assert.deepEqual(points[12], [10.5, 10, 24]);
  assert.deepEqual(points[12 * 25 + 12], [10.5, 10.5, 84]);
  assert.deepEqual(points.at(-1), [11, 11, 192]);
  assert.equal(mesh.hovertext[11], "0, 0");
  assert.equal(mesh.hovertext[13], "0, 1");
});

test("every measured value of a square stands at its place", () => {
  const value = filled(4, (i, j) => (i === 3 && j === 3 ? null : 7 * i + j));
  const points = corners(sheet(square(4), value, texts(4)));
  value.forEach((row, i) => {
    row.forEach((height, j) => {
      const found = points.filter(([x, y]) => x === Math.log2(KIB * (j + 1)) && y === Math.log2(KIB * (i + 1)));
      assert.deepEqual(found.map(([, , z]) => z), height === null ? [] : [height]);
    });
  });
});

test("a hole takes the squares round it and no more", () => {
  const whole = sheet(square(5), filled(5, () => 1), texts(5));
  const holed = sheet(square(5), filled(5, (i, j) => (i === 1 && j === 1 ? null : 1)), texts(5));
  assert.equal(whole.i.length, 2 * 4 * 4 * 10 * 10);
  assert.equal(holed.i.length, 2 * (16 - 4) * 10 * 10);
});

test("every triangle joins three different points that are there", () => {
  const mesh = sheet(square(4), filled(4, (i, j) => ((i + j) % 5 === 4 ? null : i - j)), texts(4));
  mesh.i.forEach((a, at) => {
    const triangle = [a, mesh.j[at] ?? -1, mesh.k[at] ?? -1];
    assert.equal(new Set(triangle).size, 3);
    assert.ok(triangle.every((point) => point >= 0 && point < mesh.z.length));
  });
});

test("a tile has four corners of one height and air between it and the next", () => {
  const mesh = tiles(grid, [[1, -1], [null, null], [null, null]], [["here", "there"], [], []]);
  assert.deepEqual(mesh.z, [1, 1, 1, 1, -1, -1, -1, -1]);
  assert.deepEqual(mesh.x.slice(0, 4), [10.04, 13.96, 13.96, 10.04]);
  assert.equal(mesh.x[4], 14.04);
  assert.deepEqual([mesh.i, mesh.j, mesh.k], [[0, 0, 4, 4], [1, 2, 5, 6], [2, 3, 6, 7]]);
  assert.deepEqual(mesh.hovertext, [..."here,here,here,here".split(","), ..."there,there,there,there".split(",")]);
});

test("the tiles of near sizes keep most of their width", () => {
  const mesh = tiles(square(100), filled(100, () => 1), texts(100));
  const [left = 0, right = 0] = mesh.x.slice(-4);
  const width = Math.log2(100 / 99);
  assert.ok(right - left > 0.75 * width && right - left < width, `${right - left} of ${width}`);
});

test("of points without a triangle there is no trace", () => {
  assert.deepEqual(meshTraces(sheet(square(2), [[1, null], [null, 2]], texts(2)), {}), []);
});
