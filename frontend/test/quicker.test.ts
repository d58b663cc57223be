import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { changed, MEASURED } from "../quicker.mjs";

test("the changes of Plotly were measured with the installed version", () => {
  const lock = JSON.parse(readFileSync(new URL("../package-lock.json", import.meta.url), "utf8")) as {
    packages: Record<string, { version: string }>;
  };
  const installed = lock.packages["node_modules/plotly.js"]?.version;
  assert.equal(MEASURED, installed, "run make bench-plotly, delete the changes it calls needless, then set MEASURED in quicker.mjs");
});

test("a change whose text is not in the source exactly once stops the build", () => {
  assert.equal(changed("one two", ["two", "$&"]), "one $&");
  assert.throws(() => changed("one", ["two", "three"]), /two/);
  assert.throws(() => changed("two two", ["two", "three"]), /two/);
});
