import assert from "node:assert/strict";
import { test } from "node:test";
import { named, sizeText, sizeTicks } from "../src/sizes.ts";

test("sizes are said in binary units", () => {
  const said = [1, 512, 1024, 4096, 65536, 2 ** 20, 1.5 * 2 ** 20, 2 ** 34, 2 ** 40].map(sizeText);
  assert.deepEqual(said, ["1 B", "512 B", "1 KiB", "4 KiB", "64 KiB", "1 MiB", "1.5 MiB", "16 GiB", "1 TiB"]);
});

test("a size that is no whole number of its unit has three significant digits", () => {
  assert.equal(sizeText(100_000_000), "95.4 MiB");
  assert.equal(sizeText(1000), "1000 B");
});

test("every measured size has a tick while there is room", () => {
  const ticks = sizeTicks([4096, 8192, 16384], 6);
  assert.deepEqual(ticks, { values: [12, 13, 14], texts: ["4 KiB", "8 KiB", "16 KiB"] });
});

test("ticks keep their distance where there is no room for all", () => {
  const powers = Array.from({ length: 11 }, (_, i) => 2 ** (16 + i));
  assert.deepEqual(sizeTicks(powers, 6).values, [16, 18, 20, 22, 24, 26]);
  assert.ok(sizeTicks(powers, 4).values.length <= 4);
});

test("ticks stand only at measured sizes", () => {
  assert.deepEqual(sizeTicks([3000, 9000], 6).texts, ["2.93 KiB", "8.79 KiB"]);
});

test("one size has one tick", () => {
  assert.deepEqual(sizeTicks([65536], 6), { values: [16], texts: ["64 KiB"] });
});

test("a named size takes the place of the ticks that would stand in its way", () => {
  const ticks = named(sizeTicks([2 ** 10, 2 ** 13, 2 ** 16, 2 ** 19, 2 ** 22], 5), [{ label: "L2", bytes: 2 ** 20 }]);
  assert.deepEqual(ticks.values, [10, 13, 16, 20, 22]); // 19 is in the way, 22 is not
  assert.equal(ticks.texts[3], "L2, 1 MiB");
  assert.deepEqual(named(sizeTicks([65536], 6), [{ label: "L1", bytes: 2 ** 15 }]).values, [15, 16]);
});
