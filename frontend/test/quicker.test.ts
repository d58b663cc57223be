import assert from "node:assert/strict";
import { test } from "node:test";
import { changed } from "../quicker.mjs";

test("a change whose text is not in the source exactly once stops the build", () => {
  assert.equal(changed("one two", ["two", "$&"]), "one $&");
  assert.throws(() => changed("one", ["two", "three"]), /two/);
  assert.throws(() => changed("two two", ["two", "three"]), /two/);
});
