import assert from "node:assert/strict";
import { test } from "node:test";
import { markCells } from "../src/findings.ts";
import { fire, one, page } from "./dom.ts";

const BODY = `<a href="#c0-0-0" data-cells="c0-0-0 c0-1-0 c9-9-9">xfs is better</a><a href="#runs">runs</a>
<table><tr><td id="c0-0-0"></td><td id="c0-1-0"></td><td id="c0-2-0"></td></tr></table>`;

test("a finding that is pointed at marks its cells, and only while it is", () => {
  const document = page(BODY);
  markCells(document);
  const marked = () => [...document.querySelectorAll(".pointed")].map((cell) => cell.id);
  for (const [on, off] of [
    ["pointerenter", "pointerleave"],
    ["focus", "blur"],
  ] as const) {
    fire(one(document, "a"), on);
    assert.deepEqual(marked(), ["c0-0-0", "c0-1-0"]);
    fire(one(document, "a"), off);
    assert.deepEqual(marked(), []);
  }
});
