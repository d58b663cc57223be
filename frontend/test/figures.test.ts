import assert from "node:assert/strict";
import { test } from "node:test";
import { hoverTexts, uprights } from "../src/surface/figure.ts";
import { sliceFigure } from "../src/surface/flat.ts";
import type { Grid, Surface } from "../src/surface/grid.ts";
import { firstCamera, solidFigure } from "../src/surface/solid.ts";
import { grid, pair, theme } from "./sample.ts";

/** Traces and layouts as plain data. */
type Plain = Record<string, unknown>;
const traces = (figure: { data: unknown[] }) => figure.data as Plain[];
const meshes = (figure: { data: unknown[] }) => traces(figure).filter(({ type }) => type === "mesh3d");
const camera = firstCamera(1);
const [ext4] = grid.surfaces as [Surface];
const withSurface = (changed: Partial<Surface>): Grid => ({ ...grid, surfaces: [{ ...ext4, ...changed }] });
const at = (column: number) => ({ row: 0, column });

test("a pointer reads the place and what the server says of the cell", () => {
  const texts = hoverTexts(grid, ext4.text);
  assert.equal(texts[0]?.[1], "64 KiB file, 64 KiB records<br>400.0 ± 4.0 MiB/s, n = 5");
  assert.equal(texts[1]?.[1], "256 KiB file, 64 KiB records<br>failed: read: &lt;I/O error&gt;");
  assert.equal(texts[2]?.[1], "1 MiB file, 64 KiB records<br>not measured");
});

test("a long text is broken into lines at its spaces", () => {
  const [first = []] = hoverTexts(grid, [[Array(40).fill("word").join(" "), "a ".repeat(29)]]);
  const lines = (first[0] ?? "").split("<br>").slice(1);
  assert.equal(lines.join(" "), Array(40).fill("word").join(" "));
  assert.ok(lines.length > 2 && lines.every((line) => line.length <= 60));
  assert.equal((first[1] ?? "").split("<br>").length, 2);
});

test("the surface stands over log₂ of the sizes, its colours from the lowest to the highest value", () => {
  const shown = withSurface({ value: [[10, 400], [20, 30], [1, 2]] });
  const figure = solidFigure({ ...shown, colours: { low: 1, high: 400, logarithmic: false } }, 0, theme, camera);
  const [sheet, ...more] = meshes(figure);
  assert.equal(more.length, 0);
  const ends = (values: unknown) => [Math.min(...(values as number[])), Math.max(...(values as number[]))];
  assert.deepEqual([ends(sheet?.x), ends(sheet?.y), ends(sheet?.z)], [[12, 16], [16, 20], [1, 400]]);
  assert.deepEqual([sheet?.cmin, sheet?.cmax], [1, 400]);
  assert.deepEqual(sheet?.intensity, sheet?.z);
  assert.deepEqual(figure.layout.scene?.yaxis?.ticktext, ["64 KiB", "256 KiB", "L2, 512 KiB", "1 MiB"]);
});

test("colours may be logarithmic, and cells outside of their scale have the colour of its end", () => {
  const figure = solidFigure({ ...grid, colours: { low: 20, high: 100, logarithmic: true } }, 0, theme, camera);
  const [sheet] = meshes(figure);
  assert.deepEqual([sheet?.cmin, sheet?.cmax], [Math.log(20), Math.log(100)]);
  const shades = (sheet?.intensity ?? []) as number[];
  assert.deepEqual([Math.min(...shades), Math.max(...shades)], [Math.log(20), Math.log(100)]); // of 10 and 400
  assert.equal(Math.max(...((sheet?.z ?? []) as number[])), 400);
});

test("the region of memory is shaded once: the floor under the surface, and the slice", () => {
  const second = pair.surfaces.length - 1;
  const floors = meshes(solidFigure(pair, second, theme, camera)).filter(({ color }) => color === theme.rule);
  assert.deepEqual(floors.map(({ y }) => y), [[16, 16, 17, 17]]);
  const { shapes, annotations } = uprights(pair, theme);
  assert.deepEqual(shapes.filter(({ type }) => type === "rect").map(({ x0, x1 }): unknown[] => [x0, x1]), [[16, 17]]);
  assert.equal(annotations.filter(({ text }) => text?.startsWith("memory")).length, 1);
});

test("axes are named in words with their unit", () => {
  const { scene } = solidFigure(grid, 0, theme, camera).layout;
  const titles = [scene?.xaxis?.title, scene?.yaxis?.title, scene?.zaxis?.title].map((title) => (title as Plain).text);
  assert.deepEqual(titles, ["record size", "file size", "throughput, MiB/s"]);
});

test("the surfaces of both runs have one scale", () => {
  for (const run of [0, 1]) {
    const solid = solidFigure(pair, run, theme, camera);
    const [surface] = meshes(solid);
    assert.deepEqual([surface?.cmin, surface?.cmax], [10, 400]);
    assert.deepEqual((solid.layout.scene?.zaxis as Plain).range, [0, 408]);
    assert.deepEqual(solid.layout.scene?.camera, camera);
  }
});

test("a surface that is not there is a mistake", () => {
  assert.throws(() => solidFigure(grid, 1, theme, camera), /no surface 1/);
});

test("each mark inside the grid has a line over the surface, lifted, in one trace, and its name on its axis", () => {
  const { data, layout } = solidFigure(grid, 0, theme, camera);
  const [hairs, marks, ...more] = traces({ data }).filter(({ mode }) => mode === "lines");
  assert.ok(hairs);
  assert.equal(more.length, 0);
  assert.deepEqual((marks?.y as unknown[]).slice(0, 3), [19, 19, null]);
  assert.deepEqual((marks?.z as unknown[]).slice(0, 3), [29, null, null]); // 25 halfway from 20 to 30, and 1 % of 400
  assert.deepEqual(layout.scene?.yaxis?.ticktext, ["64 KiB", "256 KiB", "L2, 512 KiB", "1 MiB"]);
});

test("a surface without marks has no trace for them", () => {
  const lines = traces(solidFigure({ ...grid, marks: [] }, 0, theme, camera)).filter(({ mode }) => mode === "lines");
  assert.equal(lines.length, 1);
});

test("cells without a whole square of neighbours are tiles, so that no measured one vanishes", () => {
  const [tiles, ...more] = meshes(solidFigure(grid, 0, theme, camera));
  assert.equal(more.length, 0);
  assert.deepEqual([...new Set(tiles?.z as number[])].sort(), [10, 20, 30, 400]);
});

test("the eye steps back on a phone", () => {
  assert.equal(firstCamera(2).eye.x, 2 * camera.eye.x);
});

test("the hairlines of the measured grid are one trace with gaps, and not more than can be told apart", () => {
  const hairs = (of: Grid) => traces(solidFigure(of, 0, theme, camera)).filter(({ mode }) => mode === "lines");
  const [trace] = hairs(grid);
  assert.deepEqual(trace?.x, [12, 16, null, 12, 16, null, 12, 16, null, 12, 12, 12, null, 16, 16, 16, null]);
  const sizes = Array.from({ length: 100 }, (_, i) => 1024 * (i + 1));
  const matrix = sizes.map(() => sizes.map(() => 1));
  const fine = { ...withSurface({ value: matrix, text: sizes.map(() => sizes.map(() => "")) }), record_sizes: sizes, file_sizes: sizes };
  assert.equal((hairs(fine)[0]?.z as unknown[]).filter((height) => height === null).length, 40);
});

test("the slice is one column, with its gaps, its sd, and the scale of the whole surface", () => {
  const figure = sliceFigure(grid, theme, at(1));
  const [line = {}] = traces(figure);
  assert.deepEqual(line.y, [400, null, null]);
  assert.deepEqual((line.error_y as Plain).array, [4, 0, 0]);
  assert.equal(line.connectgaps, false);
  assert.deepEqual(sliceFigure(grid, theme, at(0)).layout.yaxis?.range, figure.layout.yaxis?.range);
  assert.equal(figure.layout.showlegend, false);
});

test("the slice of two runs has a line each, apart without colour too, and a legend", () => {
  const figure = sliceFigure(pair, theme, at(0));
  const lines = traces(figure);
  assert.deepEqual(lines.map(({ name }) => name), ["ext4", "xfs"]);
  assert.notEqual((lines[0]?.marker as Plain).symbol, (lines[1]?.marker as Plain).symbol);
  assert.equal(figure.layout.showlegend, true);
  assert.match((lines[1]?.hovertext as string[])[0] ?? "", /^xfs: 64 KiB file/);
});

test("the slice has a dotted line where a cache ends", () => {
  const { shapes, annotations } = uprights(grid, theme);
  assert.deepEqual(shapes.map(({ x0, x1 }): unknown[] => [x0, x1]), [[19, 19]]);
  assert.deepEqual(annotations.map(({ text }) => text), ["L2"]);
});

test("the slice has room for the longest whisker of the grid", () => {
  const high = sliceFigure(grid, theme, at(0)).layout.yaxis?.range?.[1] as number;
  assert.ok(high > 404);
});
