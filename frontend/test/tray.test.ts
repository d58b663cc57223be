import assert from "node:assert/strict";
import { beforeEach, describe, test } from "node:test";
import { connectTray, storedChoices, withChoices } from "../src/tray.ts";
import { fire, one, page } from "./dom.ts";

const BODY = `
  <form data-choose>
    <input type="checkbox" data-choose-all>
    <input type="checkbox" name="run" value="a" data-label="iozone on ext4">
    <input type="checkbox" name="run" value="b" data-label="iozone on xfs">
    <input type="checkbox" name="run" value="w" data-label="waits" disabled>
  </form>
  <button type="button" data-tray-add="k" data-tray-as="campaign" data-label="tiny, 40 runs">Choose all runs</button>
  <button type="button" data-tray-add="c" data-label="fsload on btrfs">Add to comparison</button>
  <form data-tray hidden><span data-tray-count></span><ul data-tray-list></ul>
    <button type="button" data-tray-clear>Clear</button></form>`;

describe("the compare tray", () => {
  let document: Document;
  let storage: Storage;

  beforeEach(() => {
    document = page(BODY);
    storage = localStorage;
  });

  const tray = () => (one(document, "[data-tray]") as HTMLFormElement);
  const box = (value: string) => (one(document, `input[type=checkbox][value=${value}]`) as HTMLInputElement);
  const sent = () => [...tray().querySelectorAll<HTMLInputElement>("input[name=run]")].map(({ value }) => value);

  function check(value: string, checked: boolean) {
    box(value).checked = checked;
    fire(box(value), "change");
  }

  test("the tray stays away while nothing is chosen", () => {
    connectTray(document, storage);
    assert.equal(tray().hidden, true);
  });

  test("check boxes and buttons put runs in, and the form sends them", () => {
    connectTray(document, storage);
    check("a", true);
    assert.equal(one(tray(), "[data-tray-count]").textContent, "1 run");
    one(document, "[data-tray-add=c]").click();
    assert.equal(tray().hidden, false);
    assert.deepEqual(sent(), ["a", "c"]);
    assert.equal(one(tray(), "[data-tray-count]").textContent, "2 runs");
    assert.match(one(tray(), "li").textContent, /^iozone on ext4 ✕$/);
    assert.equal((one(document, "[data-tray-add=c]") as HTMLButtonElement).disabled, true);
  });

  test("a comparison of all that is chosen needs no tray", () => {
    storage.setItem("benchdb.tray", JSON.stringify([{ id: "a", label: "ext4" }, { id: "k", label: "tiny", as: "campaign" }]));
    tray().action = "/compare/";
    const at = (address: string) => {
      document.defaultView?.history.replaceState(null, "", address);
      connectTray(document, storage);
      return tray().hidden;
    };
    assert.equal(at("/compare/?run=a&campaign=k&run=b"), true);
    assert.equal(at("/compare/?run=a&run=k"), false);
    assert.equal(at("/runs/?run=a&campaign=k"), false);
  });

  test("all runs of a list come from the server, those of its other pages too", async () => {
    const button = document.createElement("button");
    button.dataset.trayAll = "/runs/all.json?tool=fio";
    document.body.append(button);
    const asked: string[] = [];
    globalThis.fetch = (address) => {
      asked.push(address as string);
      return Promise.resolve(Response.json({ runs: [{ id: "x", label: "fio on xfs" }, { id: "a", label: "iozone on ext4" }] }));
    };
    connectTray(document, storage);
    check("a", true);
    button.click();
    assert.equal(button.disabled, true);
    await new Promise((done) => setTimeout(done));
    assert.deepEqual(asked, ["/runs/all.json?tool=fio"]);
    assert.deepEqual(sent(), ["a", "x"]);
    assert.equal(button.disabled, false);
  });

  test("a run leaves by its check box, by its cross, or with all others", () => {
    connectTray(document, storage);
    check("a", true);
    check("b", true);
    check("a", false);
    assert.deepEqual(sent(), ["b"]);
    one(tray(), ".take-out").click();
    assert.deepEqual(sent(), []);
    assert.equal(box("b").checked, false);
    check("a", true);
    one(tray(), "[data-tray-clear]").click();
    assert.equal(tray().hidden, true);
  });

  test("a permalink offers only what it does not compare already", () => {
    document.body.insertAdjacentHTML("beforeend", '<div data-compared="run=b&amp;run=c&amp;campaign=k"></div>');
    const choices = [{ id: "b", label: "b" }, { id: "k", label: "k", as: "campaign" }];
    storage.setItem("benchdb.tray", JSON.stringify(choices));
    connectTray(document, storage);
    assert.equal(tray().hidden, true);
    check("a", true);
    assert.equal(tray().hidden, false);
  });

  test("the next page, and another tab, know what was chosen", () => {
    storage.setItem("benchdb.tray", JSON.stringify([{ id: "b", label: "iozone on xfs" }]));
    connectTray(document, storage);
    assert.equal(box("b").checked, true);
    storage.setItem("benchdb.tray", "[]");
    document.defaultView?.dispatchEvent(new document.defaultView.Event("storage"));
    assert.equal(box("b").checked, false);
  });

  test("what is stored and not ours counts as nothing", () => {
    for (const text of ["{", "null", '{"id": 1}', '["a", null, {"id": "a"}, {"id": 1, "label": "x"}, {"id": "a", "label": "x", "as": "unit"}]']) {
      storage.setItem("benchdb.tray", text);
      assert.deepEqual(storedChoices(storage), []);
    }
  });

  test("all runs of a page that can be chosen come and go with one box, which says when it is some of them", () => {
    connectTray(document, storage);
    const all = one(document, "[data-choose-all]") as HTMLInputElement;
    check("a", true);
    assert.deepEqual([all.checked, all.indeterminate], [false, true]);
    all.checked = true;
    fire(all, "change");
    assert.deepEqual(sent(), ["a", "b"]);
    assert.deepEqual([all.checked, all.indeterminate], [true, false]);
    all.checked = false;
    fire(all, "change");
    assert.deepEqual(sent(), []);
  });

  test("a campaign is one choice, sent as what it is", () => {
    connectTray(document, storage);
    one(document, "[data-tray-as]").click();
    assert.equal(one(tray(), "[data-tray-count]").textContent, "1 campaign");
    check("a", true);
    assert.equal(one(tray(), "[data-tray-count]").textContent, "1 campaign and 1 run");
    assert.equal((one(tray(), "input[name=campaign]") as HTMLInputElement).value, "k");
    assert.deepEqual(sent(), ["a"]);
    one(tray(), ".take-out").click();
    assert.equal(tray().querySelector("input[name=campaign]"), null);
  });

  test("a run is chosen once, in the order of choosing", () => {
    const a = { id: "a", label: "A" };
    const b = { id: "b", label: "B" };
    assert.deepEqual(withChoices([a, b], [a], true), [a, b]);
    assert.deepEqual(withChoices([a], [b], true), [a, b]);
    assert.deepEqual(withChoices([a, b], [a], false), [b]);
    assert.deepEqual(withChoices([a], [b], false), [a]);
  });

  test("a page without a tray is left alone", () => {
    assert.doesNotThrow(() => { connectTray(page("<p>404</p>"), storage); });
  });
});
