import assert from "node:assert/strict";
import { test } from "node:test";
import { place } from "../src/panel/place.ts";

const viewport = { width: 1000, height: 800 };
const size = { width: 300, height: 200 };
const number = (left: number, top: number) => ({ left, top, right: left + 50, bottom: top + 20 });

test("under its number", () => {
  assert.deepEqual(place(number(100, 100), size, viewport), { left: 100, top: 126 });
});

test("above it at the foot of the window", () => {
  assert.deepEqual(place(number(100, 700), size, viewport), { left: 100, top: 494 });
});

test("never over the right edge", () => {
  assert.equal(place(number(940, 100), size, viewport).left, 692);
});

test("beside the number where there is room neither above nor below", () => {
  const tall = { width: 300, height: 700 };
  assert.deepEqual(place(number(100, 400), tall, viewport), { left: 156, top: 92 });
  assert.deepEqual(place(number(900, 400), tall, viewport), { left: 594, top: 92 });
});

test("in sight even where it does not fit at all", () => {
  assert.deepEqual(place(number(10, 10), { width: 900, height: 900 }, { width: 320, height: 500 }), { left: 8, top: 8 });
});
