import assert from "node:assert/strict";
import { test } from "node:test";
import { hoverTexts, levels, uprights } from "../src/surface/figure.ts";
import { columnEdges, mapFigure, sliceFigure } from "../src/surface/flat.ts";
import { solidFigure } from "../src/surface/solid.ts";
import { grid, theme } from "./sample.ts";

/** Traces and layouts as plain data. */
type Plain = Record<string, unknown>;
const traces = (figure: { data: unknown[] }) => figure.data as Plain[];

test("a pointer reads the place, the number as the table has it, and n", () => {
  const texts = hoverTexts(grid);
  assert.equal(texts[0]?.[1], "64 KiB file, 64 KiB records<br>400.0 ± 4.0 MiB/s, n = 5");
  assert.equal(texts[1]?.[1], "256 KiB file, 64 KiB records<br>failed: read: &lt;I/O error&gt;");
  assert.equal(texts[2]?.[1], "1 MiB file, 64 KiB records<br>not measured");
});

test("a cell too fast to measure says so", () => {
  const texts = hoverTexts({ ...grid, status: [["unmeasurable", "ok"], ["ok", "ok"], ["ok", "ok"]] });
  assert.match(texts[0]?.[0] ?? "", /too fast to measure$/);
});

test("the surface keeps its holes and stands over log₂ of the sizes", () => {
  const figure = solidFigure(grid, theme, 1);
  const surface = traces(figure).find(({ type }) => type === "surface");
  assert.ok(surface);
  assert.deepEqual(surface.z, grid.mean);
  assert.deepEqual(surface.x, [12, 16]);
  assert.deepEqual(surface.y, [16, 18, 20]);
  assert.equal(surface.connectgaps, false);
  assert.deepEqual(figure.layout.scene?.yaxis?.ticktext, ["64 KiB", "128 KiB", "256 KiB", "512 KiB", "1 MiB"]);
});

test("surface and heat map have one colour scale", () => {
  const surface = traces(solidFigure(grid, theme, 1)).find(({ type }) => type === "surface");
  const heat = traces(mapFigure(grid, theme, 0)).find(({ type }) => type === "heatmap");
  assert.deepEqual([surface?.cmin, surface?.cmax], [10, 400]);
  assert.deepEqual([heat?.zmin, heat?.zmax], [10, 400]);
  assert.equal(surface?.colorscale, heat?.colorscale);
});

test("each mark inside the grid has a line over the surface, lifted, and its name", () => {
  const lines = traces(solidFigure(grid, theme, 1));
  const names = lines.filter(({ mode }) => mode === "text").map(({ text }) => text);
  assert.deepEqual(names, [["L2"], ["L1"]]);
  const l2 = lines.find(({ mode, y }) => mode === "lines" && (y as number[]).every((at) => at === 19));
  assert.deepEqual(l2?.z, [29, null]); // 25 halfway from 20 to 30, and 1 % of 400
});

test("a mark over holes alone has no line", () => {
  const holes = { ...grid, mean: [[10, 400], [null, null], [null, null]] };
  const names = traces(solidFigure(holes, theme, 1)).filter(({ mode }) => mode === "text");
  assert.deepEqual(names.map(({ text }) => text), [["L1"]]);
});

test("the eye steps back on a phone", () => {
  const near = solidFigure(grid, theme, 1).layout.scene?.camera?.eye?.x ?? 0;
  assert.equal(solidFigure(grid, theme, 2).layout.scene?.camera?.eye?.x, 2 * near);
});

test("the heat map frames the chosen column and marks what failed", () => {
  const figure = mapFigure(grid, theme, 1);
  const frame = figure.layout.shapes?.find(({ type }) => type === "rect");
  assert.deepEqual([frame?.x0, frame?.x1], [14, 18]);
  const signs = traces(figure).find(({ mode }) => mode === "text");
  assert.deepEqual([signs?.x, signs?.y, signs?.text], [[16], [18], ["✕"]]);
});

test("a heat map without failures has no signs", () => {
  const figure = mapFigure({ ...grid, status: grid.status.map((row) => row.map(() => "ok" as const)) }, theme, 0);
  assert.equal(figure.data.length, 1);
});

test("the slice is one column, with its gaps, its sd, and the scale of the whole surface", () => {
  const figure = sliceFigure(grid, theme, 1);
  const [line = {}] = traces(figure);
  assert.deepEqual(line.y, [400, null, null]);
  assert.deepEqual((line.error_y as Plain).array, [4, 0, 0]);
  assert.equal(line.connectgaps, false);
  assert.equal(line.name, "64 KiB");
  assert.deepEqual(sliceFigure(grid, theme, 0).layout.yaxis?.range, figure.layout.yaxis?.range);
});

test("lines over colours have an edge, lines over paper have none", () => {
  assert.equal(levels(grid, "file_size", theme).shapes.length, 2);
  assert.equal(uprights(grid, "file_size", theme, "paper").shapes.length, 1);
  assert.deepEqual(uprights(grid, "record_size", theme, "colours").annotations.map(({ text }) => text), ["L1"]);
});

test("the frame of the chosen column ends where its bricks end", () => {
  const sizes = [4096, 32768, 262144, 1048576]; // log₂: 12, 15, 18, 20
  assert.deepEqual(columnEdges(sizes, 0), [10.5, 13.5]);
  assert.deepEqual(columnEdges(sizes, 2), [16.5, 19]);
  assert.deepEqual(columnEdges(sizes, 3), [19, 21]);
});

test("the slice has room for the longest whisker of the grid", () => {
  const high = sliceFigure(grid, theme, 0).layout.yaxis?.range?.[1] as number;
  const longest = grid.mean.flatMap((row, i) => row.map((mean, j) => (mean ?? 0) + (grid.sd[i]?.[j] ?? 0)));
  assert.ok(high > Math.max(...longest));
});
