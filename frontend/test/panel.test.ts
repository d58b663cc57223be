import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, mock, test } from "node:test";
import { answerWhenAsked } from "../src/panel/ask.ts";
import type { Detail } from "../src/panel/detail.ts";
import { fire, one, page } from "./dom.ts";

const detail: Detail = {
  title: "random read · ext4",
  headline: "52.62 ± 0.10 MiB/s",
  facts: [["n", "3 values, 3 rounds"], ["cache", "device: the file is 2.0 × memory"]],
  values: [52.6, 52.7, 52.56],
  labels: ["52.60", "52.70", "52.56"],
  each: "round",
  mean: 52.62,
  interval: [52.44, 52.8],
  command: "iozone -s 16G <&>",
  links: [{ text: "Raw line", href: "/runs/1/#round-1-iozone.txt-L12" }],
};
const single: Detail = { ...detail, title: "one value", values: [5], labels: ["5"], interval: null, command: null, links: [] };

const BODY = `
  <a id="before" href="/">elsewhere</a>
  <table data-details="d"><tr>
    <td><a id="a" href="/runs/1/#r1" data-cell="r1">52.62</a></td>
    <td id="r2"><a id="b" href="/runs/1/#r2" data-cell>5</a></td>
    <td><a id="c" href="/runs/1/#r3" data-cell="unknown">6</a></td>
  </tr></table>
  <script type="application/json" id="d">${JSON.stringify({ r1: detail, r2: single })}</script>`;

describe("the panel of a number", () => {
  let document: Document;

  beforeEach(() => {
    mock.timers.enable({ apis: ["setTimeout"] });
    document = page(BODY);
    answerWhenAsked(document);
  });

  afterEach(() => {
    mock.timers.reset();
  });

  const panel = () => document.querySelector<HTMLElement>(".panel");
  const hover = (selector: string) => fire(one(document, selector), "pointerover", { pointerType: "mouse" });

  function tap(selector: string): Event {
    fire(one(document, selector), "pointerdown", { pointerType: "touch" });
    return fire(one(document, selector), "click");
  }

  test("a pointer that rests on a number opens its panel, one that passes does not", () => {
    hover("#a");
    mock.timers.tick(100);
    hover("#before");
    mock.timers.tick(1000);
    assert.equal(panel(), null);
    hover("#a");
    mock.timers.tick(200);
    assert.equal(panel()?.querySelector("h3")?.textContent, "random read · ext4");
    assert.equal(one(document, "#a").getAttribute("aria-expanded"), "true");
  });

  test("the panel shows every fact, the strip plot, the command as it is, and the links", () => {
    tap("#a");
    const terms = [...one(document, ".panel").querySelectorAll("dt")].map((term) => term.textContent);
    assert.deepEqual(terms, ["n", "cache", "command"]);
    assert.equal(one(document, ".panel code").textContent, "iozone -s 16G <&>");
    assert.equal(document.querySelectorAll(".panel .dot").length, 3);
    assert.equal(one(document, ".panel .links a").getAttribute("href"), "/runs/1/#round-1-iozone.txt-L12");
  });

  test("one value has no strip plot", () => {
    tap("#b");
    assert.equal(document.querySelector(".panel svg"), null);
    assert.equal(document.querySelector(".panel .links"), null);
  });

  test("a first tap opens, a second follows the link; a mouse click follows at once", () => {
    assert.equal(tap("#a").defaultPrevented, true);
    assert.equal(tap("#a").defaultPrevented, false);
    fire(one(document, "#b"), "pointerdown", { pointerType: "mouse" });
    assert.equal(fire(one(document, "#b"), "click").defaultPrevented, false);
  });

  test("only one panel is open", () => {
    tap("#a");
    tap("#b");
    assert.equal(document.querySelectorAll(".panel").length, 1);
    assert.equal(one(document, "#a").getAttribute("aria-expanded"), "false");
  });

  test("it stays while the pointer is on it, and goes when the pointer has left for a moment", () => {
    tap("#a");
    hover("#before");
    mock.timers.tick(100);
    hover(".panel");
    mock.timers.tick(1000);
    assert.ok(panel());
    hover("#before");
    mock.timers.tick(300);
    assert.equal(panel(), null);
  });

  test("a press elsewhere closes it", () => {
    tap("#a");
    fire(one(document, "#before"), "pointerdown", { pointerType: "mouse" });
    assert.equal(panel(), null);
  });

  test("the keyboard opens it, goes into it, and Escape leads back to the number", () => {
    one(document, "#a").focus();
    assert.ok(panel());
    one(document, ".panel a").focus();
    assert.ok(panel(), "the focus may move into the panel");
    fire(one(document, ".panel a"), "keydown", { key: "Escape" });
    assert.equal(panel(), null);
    assert.equal(document.activeElement?.id, "a");
  });

  test("the focus elsewhere closes it", () => {
    one(document, "#a").focus();
    one(document, "#before").focus();
    assert.equal(panel(), null);
  });

  test("scrolling keeps it at its number", () => {
    Object.defineProperties(document.documentElement, { clientWidth: { value: 1000 }, clientHeight: { value: 800 } });
    const anchorAt = (left: number) => {
      one(document, "#a").getBoundingClientRect = () => ({ left, top: 100, right: left + 50, bottom: 120 }) as DOMRect;
    };
    anchorAt(400);
    tap("#a");
    assert.deepEqual([panel()?.style.left, panel()?.style.top], ["400px", "126px"]);
    anchorAt(340);
    fire(one(document, "table"), "scroll");
    assert.equal(panel()?.style.left, "340px");
  });

  test("a number without data opens nothing and keeps its link", () => {
    tap("#c");
    assert.equal(panel(), null);
  });
});

describe("the panel of a number whose details the server has", () => {
  const REMOTE = `
    <table data-details="d"><tr>
      <td><a id="a" href="#" data-cell="c0-1-0">52.62</a></td><td><a id="b" href="#" data-cell="c0-1-1">5</a></td>
    </tr></table>
    <span hidden id="d" data-address="/compare/panels?run=1"></span>`;
  let document: Document;
  let asked: string[];
  let answer: () => Promise<Response>;

  beforeEach(() => {
    mock.timers.enable({ apis: ["setTimeout"] });
    asked = [];
    answer = () => Promise.resolve(Response.json({ "c0-1-0": detail, "c0-1-1": single }));
    mock.method(globalThis, "fetch", (address: string) => {
      asked.push(address);
      return answer();
    });
    document = page(REMOTE);
    answerWhenAsked(document);
  });

  afterEach(() => {
    mock.timers.reset();
    mock.restoreAll();
  });

  const settled = () => new Promise((done) => { setImmediate(done); });
  const title = () => document.querySelector(".panel h3")?.textContent;
  const focus = (selector: string) => { one(document, selector).focus(); };

  test("comes with those of its row, which are requested once", async () => {
    focus("#a");
    assert.equal(one(document, "#a").getAttribute("aria-busy"), "true");
    await settled();
    assert.equal(title(), "random read · ext4");
    assert.equal(one(document, "#a").getAttribute("aria-busy"), null);
    focus("#b");
    assert.equal(title(), "one value");
    assert.deepEqual(asked, ["/compare/panels?run=1&row=0-1"]);
  });

  test("is not opened if another number has the focus by then", async () => {
    focus("#a");
    focus("#b");
    await settled();
    assert.equal(document.querySelectorAll(".panel").length, 1);
    assert.equal(title(), "one value");
  });

  test("says after two seconds that the server is busy", () => {
    answer = () => new Promise(() => undefined);
    focus("#a");
    mock.timers.tick(1900);
    assert.equal(title(), undefined);
    mock.timers.tick(200);
    assert.equal(title(), "Loading …");
  });

  test("says why there is none, and is requested again the next time", async () => {
    answer = () => Promise.resolve(new Response("", { status: 503 }));
    focus("#a");
    await settled();
    assert.match(one(document, ".panel .headline").textContent, /the server answered 503/);
    answer = () => Promise.resolve(Response.json({ "c0-1-0": detail }));
    one(document, "#a").blur();
    fire(document.body, "focusin");
    focus("#a");
    await settled();
    assert.equal(title(), "random read · ext4");
  });
});
