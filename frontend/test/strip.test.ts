import assert from "node:assert/strict";
import { test } from "node:test";
import { drawStrip, HEIGHT, strip, WIDTH } from "../src/panel/strip.ts";
import { page } from "./dom.ts";

test("dots stand in the order of their rounds, larger values higher", () => {
  const plot = strip([10, 30, 20], 20, null);
  assert.ok(plot);
  assert.deepEqual(plot.dots.map(({ round }) => round), [1, 2, 3]);
  const [first, second, third] = plot.dots;
  assert.ok(first && second && third);
  assert.ok(first.x < second.x && second.x < third.x);
  assert.ok(second.y < third.y && third.y < first.y);
  assert.equal(plot.mean, third.y);
});

test("everything lies inside the box, an interval wider than the values too", () => {
  const plot = strip([10, 11], 10.5, [2, 19]);
  assert.ok(plot?.band);
  assert.ok(plot.band.top >= 0 && plot.band.top < plot.band.bottom && plot.band.bottom <= HEIGHT);
  for (const { x, y } of plot.dots) assert.ok(x > 0 && x < WIDTH && y > 0 && y < HEIGHT);
});

test("a round that failed keeps its place and gets no dot", () => {
  const plot = strip([10, null, 12], 11, null);
  assert.deepEqual(plot?.dots.map(({ round }) => round), [1, 3]);
  assert.deepEqual(plot.absent.map(({ round }) => round), [2]);
});

test("equal values lie in the middle", () => {
  const plot = strip([7, 7], 7, [7, 7]);
  assert.deepEqual(plot?.dots.map(({ y }) => y), [HEIGHT / 2, HEIGHT / 2]);
});

test("no value, no plot", () => {
  assert.equal(strip([null, null], null, null), undefined);
  assert.equal(strip([], null, null), undefined);
});

test("the drawing names every round and writes the largest and the smallest value", () => {
  const document = page("");
  const values = [10, null, 12];
  const plot = strip(values, 11, [9, 13]);
  assert.ok(plot);
  const svg = drawStrip(document, plot, { values, labels: ["10.0", "failed", "12.0"], each: "round" });
  assert.deepEqual([...svg.querySelectorAll("text")].map((text) => text.textContent), ["12.0", "10.0"]);
  const titles = [...svg.querySelectorAll("title")].map((title) => title.textContent);
  assert.deepEqual(titles, ["round 1: 10.0", "round 3: 12.0", "round 2 failed"]);
  assert.equal(svg.getAttribute("aria-label"), "Values by round: 10.0, failed, 12.0");
  assert.ok(svg.querySelector(".band") && svg.querySelector(".centre"));
});

test("one label is enough where all values are the same", () => {
  const plot = strip([7, 7], null, null);
  assert.ok(plot);
  const svg = drawStrip(page(""), plot, { values: [7, 7], labels: ["7.0", "7.0"], each: "round" });
  assert.equal(svg.querySelectorAll("text").length, 1);
  assert.equal(svg.querySelector(".centre"), null);
});

test("the two texts do not stand on each other where the interval is far wider than the values", () => {
  const plot = strip([10, 11], 10.5, [-100, 120]);
  assert.ok(plot);
  const svg = drawStrip(page(""), plot, { values: [10, 11], labels: ["10", "11"], each: "run" });
  assert.equal(svg.getAttribute("aria-label"), "Values by run: 10, 11");
  const [high, low] = [...svg.querySelectorAll("text")].map((text) => Number(text.getAttribute("y")));
  assert.ok((low ?? 0) - (high ?? 0) >= 12);
});
