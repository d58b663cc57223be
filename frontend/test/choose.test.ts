import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, mock, test } from "node:test";
import { chooseCells } from "../src/choose.ts";
import { fire, one, page } from "./dom.ts";

const details = {
  "c0-0-0": { title: "ext4 · Write", headline: "100 MiB/s", views: { trend: "/trend/?run=1" } },
  "c0-1-0": { title: "xfs · Write", headline: "120 MiB/s", views: { surface: "/surface/?run=1&run=2", trend: "/trend/?run=2" } },
};
const BODY = `
  <table class="data" id="t" data-details="d"><tbody>
    <tr><td id="c0-0-0"><a href="#r0" data-cell>100</a></td><td id="c0-0-1">never measured</td></tr>
    <tr><td id="c0-1-0"><b>120</b> <a href="#result" data-cell>its result</a></td></tr>
  </tbody></table>
  <nav data-views="t" data-default="0-0-0">
    <a data-view="surface" hidden>Surface</a><a data-view="trend" href="/trend/?run=1">Trend</a>
    <span data-chosen hidden><strong data-chosen-title></strong> <span data-chosen-headline></span><a data-chosen-clear href="/">✕</a></span>
    <span data-chosen-none>Choose a cell</span>
  </nav>
  <figure class="chart" data-details="d"><svg><a data-cell="c0-0-0"><circle/></a><a data-cell="c0-1-0"><circle/></a></svg></figure>
  <form action="/share/" method="post"><input type="hidden" name="cell" value="" data-chosen-cell></form>
  <script type="application/json" id="d">${JSON.stringify(details)}</script>`;

describe("a chosen cell", () => {
  let document: Document;
  const mark = (key: string) => one(document, `.chart [data-cell="${key}"]`);

  beforeEach(() => {
    document = page(BODY);
    Object.assign(globalThis, {
      ...{ HTMLButtonElement: window.HTMLButtonElement, location: window.location, history: window.history },
    });
    window.history.replaceState(null, "", "/compare/?run=1&rows=a,b#ratios");
    chooseCells(document);
  });

  test("is marked in every view, and the address and the links carry it", () => {
    fire(one(document, "#c0-1-0 b"), "click");

    assert.ok(one(document, "#c0-1-0").classList.contains("chosen"));
    assert.ok(mark("c0-1-0").classList.contains("chosen"));
    assert.equal(window.location.href, "http://localhost/compare/?run=1&rows=a,b&cell=0-1-0#ratios");
    assert.equal(one(document, "[data-chosen-cell]").getAttribute("value"), "0-1-0");
    assert.equal(one(document, "[data-chosen-title]").textContent, "xfs · Write");
    assert.equal(one(document, "[data-chosen-headline]").textContent, "120 MiB/s");
    assert.equal(one(document, "[data-view=surface]").getAttribute("href"), "/surface/?run=1&run=2");
    assert.equal(one(document, "[data-view=surface]").hidden, false);
    assert.equal(one(document, "[data-chosen-none]").hidden, true);
  });

  test("gives way to another one, here chosen by its mark", () => {
    fire(one(document, "#c0-1-0"), "click");

    const event = fire(one(mark("c0-0-0"), "circle"), "click");

    assert.ok(event.defaultPrevented);
    assert.equal(document.querySelectorAll(".chosen").length, 2);
    assert.ok(one(document, "#c0-0-0").classList.contains("chosen"));
    assert.match(window.location.search, /&cell=0-0-0$/);
    assert.equal(one(document, "[data-view=surface]").hidden, true);
  });

  test("is let go by choosing it again, or by its cross", () => {
    const chosen = () => document.querySelectorAll(".chosen").length;
    const cell = one(document, "#c0-1-0");
    fire(cell, "click");
    fire(cell, "click");
    assert.equal(chosen(), 0);
    fire(cell, "click");
    assert.ok(fire(one(document, "[data-chosen-clear]"), "click").defaultPrevented);
    assert.equal(chosen(), 0);
    assert.equal(window.location.search, "?run=1&rows=a,b");
    assert.equal(one(document, "[data-view=trend]").getAttribute("href"), "/trend/?run=1");
    assert.equal(one(document, "[data-chosen]").hidden, true);
  });

  test("is none where a link was followed or nothing was measured", () => {
    fire(one(document, "#c0-1-0 a"), "click");
    fire(one(document, "#c0-0-1"), "click");
    fire(one(document, "table"), "click");
    assert.ok(!fire(one(document, ".chart svg"), "click").defaultPrevented);
    assert.ok(!fire(mark("c0-1-0"), "click", { ctrlKey: true }).defaultPrevented);

    assert.equal(document.querySelectorAll(".chosen").length, 0);
  });
});

describe("a chosen cell whose details the server has", () => {
  const REMOTE = BODY.replace(/<script.*/s, '<span hidden id="d" data-address="/c/1/panels"></span>');
  let document: Document;
  let answer: () => Response;

  beforeEach(() => {
    mock.method(globalThis, "fetch", () => Promise.resolve(answer()));
    document = page(REMOTE);
    Object.assign(globalThis, { location: window.location, history: window.history });
    chooseCells(document);
  });

  afterEach(() => { mock.restoreAll(); });

  async function choose(selector: string): Promise<void> {
    fire(one(document, selector), "click");
    await new Promise((done) => { setImmediate(done); });
  }

  test("is marked at once and named by the server", async () => {
    answer = () => Response.json({ "c0-1-0": details["c0-1-0"] });
    await choose("#c0-1-0");
    assert.ok(one(document, "#c0-1-0").classList.contains("chosen"));
    assert.equal(one(document, "[data-chosen-title]").textContent, "xfs · Write");
    assert.equal(one(document, "[data-view=surface]").getAttribute("href"), "/surface/?run=1&run=2");
  });

  test("has no links of another cell until its own are there", async () => {
    answer = () => Response.json({ "c0-1-0": details["c0-1-0"] });
    assert.equal(one(document, "[data-view=trend]").hidden, false);
    fire(one(document, "#c0-1-0"), "click");
    assert.equal(one(document, "[data-view=trend]").hidden, true);
    await new Promise((done) => { setImmediate(done); });
    assert.equal(one(document, "[data-view=trend]").hidden, false);
  });

  test("is marked although the server does not answer, and the page says so", async () => {
    answer = () => new Response("", { status: 500 });
    await choose("#c0-1-0");
    assert.ok(one(document, "#c0-1-0").classList.contains("chosen"));
    assert.match(one(document, "[data-chosen-headline]").textContent, /could not be loaded: the server answered 500/);
    assert.equal(one(document, "[data-view=trend]").hidden, true);
  });
});
