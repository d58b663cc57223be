/** The entry of every page, on a page that has everything. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { one, page } from "./dom.ts";

test("the entry brings a page to life", async () => {
  const document = page(`
    <time datetime="2026-11-20T20:02:11Z">20 Nov 2026 20:02 UTC</time>
    <form data-choose><input type="checkbox" value="a" data-label="iozone on ext4"></form>
    <form data-tray hidden><span data-tray-count></span><ul data-tray-list></ul></form>`);
  await import("../src/app.ts");
  assert.ok(document.documentElement.classList.contains("js"));
  assert.equal(one(document, "time").title, "2026-11-20 20:02:11 UTC");
  one(document, "input[type=checkbox]").click();
  assert.equal(one(document, "[data-tray]").hidden, false);
});
