import assert from "node:assert/strict";
import { test } from "node:test";
import { moved, same } from "../src/surface/camera.ts";
import { type Camera, firstCamera } from "../src/surface/solid.ts";

const camera = firstCamera(1);
const distance = ({ eye }: Camera) => Math.hypot(eye.x, eye.y, eye.z);
const after = (key: string, from: Camera = camera): Camera => {
  const found = moved(from, key);
  assert.ok(found);
  return found;
};

test("arrow keys go round the scene at the same distance, and back", () => {
  for (const [key, back] of [["ArrowLeft", "ArrowRight"], ["ArrowUp", "ArrowDown"]] as const) {
    const turned = after(key);
    assert.ok(!same(turned, camera));
    assert.ok(Math.abs(distance(turned) - distance(camera)) < 1e-9);
    assert.ok(same(after(back, turned), camera));
  }
});

test("plus comes closer, minus goes away", () => {
  assert.ok(distance(after("+")) < distance(camera));
  assert.ok(distance(after("-")) > distance(camera));
  assert.ok(same(after("-", after("+")), camera));
});

test("the eye stays above the floor and never stands straight over the scene", () => {
  let [low, high] = [camera, camera];
  for (let i = 0; i < 40; i += 1) [low, high] = [after("ArrowDown", low), after("ArrowUp", high)];
  assert.ok(low.eye.z > 0);
  assert.ok(Math.hypot(high.eye.x, high.eye.y) > 0.05);
});

test("other keys mean nothing", () => {
  for (const key of ["Tab", "a", "Enter", "PageDown"]) assert.equal(moved(camera, key), undefined);
});
