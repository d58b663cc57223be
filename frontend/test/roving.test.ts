import assert from "node:assert/strict";
import { beforeEach, describe, test } from "node:test";
import { moveByArrows } from "../src/roving.ts";
import { fire, one, page } from "./dom.ts";

const BODY = `
  <div class="scroll" tabindex="0"><table class="data" data-details="d">
    <tr><th>Test</th><th><a id="head" href="#h">Write</a></th><th>Read</th></tr>
    <tr><th>ext4</th><td><a id="a" href="#a">1</a></td><td><a id="b" href="#b">2</a></td><td></td><td><a id="c" href="#c">3</a></td></tr>
    <tr><th>xfs</th><td>not measured</td><td><a id="d" href="#d">4</a><aside><a id="inside" href="#e">raw</a></aside></td></tr>
    <tr><th>btrfs</th><td><a id="f" href="#f">5</a></td><td>failed</td></tr>
  </table></div>
  <table class="data"><tr><td><a id="plain" href="#p">6</a></td></tr></table>`;

test("the first number is the stop of Tab, and the buttons of heads are above it", () => {
  const document = page(`<table class="data" data-details="d">
    <tr><th>Test</th><th><button id="sort">Write</button></th></tr>
    <tr><th>ext4</th><td><a id="a" href="#a">1</a></td></tr></table>`);
  moveByArrows(document);
  assert.equal(one(document, "#sort").tabIndex, -1);
  assert.equal(one(document, "#a").tabIndex, 0);
  one(document, "#a").focus();
  fire(one(document, "#a"), "keydown", { key: "ArrowUp" });
  assert.equal(document.activeElement?.id, "sort");
});

describe("a table of measured cells", () => {
  let document: Document;

  beforeEach(() => {
    document = page(BODY);
    moveByArrows(document);
  });

  const press = (key: string, more: object = {}) => fire(document.activeElement ?? document.body, "keydown", { key, ...more });
  const at = () => document.activeElement?.id;

  test("is one stop of Tab, which is the last visited link", () => {
    const stops = () => [...document.querySelectorAll<HTMLElement>("[data-details] a")].filter((link) => link.tabIndex === 0 && !link.closest("aside"));
    assert.deepEqual(stops().map((link) => link.id), ["head"]);
    one(document, "#b").focus();
    assert.deepEqual(stops().map((link) => link.id), ["b"]);
    assert.equal(one(document, ".scroll").hasAttribute("tabindex"), false);
    assert.equal(one(document, "#plain").tabIndex, 0);
  });

  test("is crossed with arrow keys, over cells without a link", () => {
    one(document, "#a").focus();
    for (const [key, id] of [["ArrowRight", "b"], ["ArrowRight", "c"], ["ArrowLeft", "b"], ["ArrowDown", "d"], ["ArrowUp", "b"], ["ArrowLeft", "a"], ["ArrowDown", "f"], ["ArrowUp", "a"], ["ArrowUp", "head"]] as const) {
      assert.equal(press(key).defaultPrevented, true, key);
      assert.equal(at(), id, key);
    }
  });

  test("has edges, at which keys do what they always do", () => {
    one(document, "#c").focus();
    assert.equal(press("ArrowRight").defaultPrevented, false);
    assert.equal(press("x").defaultPrevented, false);
    assert.equal(press("ArrowLeft", { altKey: true }).defaultPrevented, false);
    assert.equal(at(), "c");
  });

  test("goes to the ends of a row with Home and End", () => {
    one(document, "#b").focus();
    press("End");
    assert.equal(at(), "c");
    press("Home");
    assert.equal(at(), "a");
  });

  test("leaves the keys of an open panel alone", () => {
    one(document, "#inside").focus();
    assert.equal(press("ArrowUp").defaultPrevented, false);
    assert.equal(at(), "inside");
  });
});
