import assert from "node:assert/strict";
import { beforeEach, describe, test } from "node:test";
import { copyTables, readTable } from "../src/spreadsheet.ts";
import { fire, one, page } from "./dom.ts";

const cell = (mean: string, sd: string, verdict = "") =>
  `<td><div class="cell"><a class="mean">${mean}</a><aside class="panel">open</aside><span class="visually-hidden"> (best)</span>` +
  ` <span class="sd">${sd}</span>${verdict}<svg aria-hidden="true"><path d="M1 0z"/></svg></div></td>`;
const better = `<span class="verdict better"><span role="img" aria-label="better">▲</span> +8.2 %</span>`;
const alike = `<span class="verdict equivalent" role="img" aria-label="equivalent">≈</span>`;
const BODY = `
  <table class="data" id="t"><tbody>
    <tr class="group">
      <th>File system<span class="unit">n = 6 rounds</span></th>
      <th class="measured">Write<span class="unit">MiB/s <span title="higher">↑</span></span></th>
      <th class="measured">mkfs<span class="unit">s <span>↓</span></span></th>
    </tr>
    <tr><th class="row-head">=ext4<span class="unit">baseline</span></th>${cell("109\u202f340", "± 370")}${cell("1.5", "n = 1")}</tr>
    <tr><th class="row-head">xfs</th>${cell("\u22120.5", "± 0.1", better)}<td class="failed-cell">-bad
      disk</td></tr>
    <tr><th class="row-head">btrfs</th>${cell("1.0", "± 0.1", alike)}<td></td></tr>
  </tbody></table>
  <button data-copy-table="t">Copy the table</button><p id="p">words</p>`;
const ROWS = [
  ["File system (n = 6 rounds)", "Write (MiB/s)", "sd", "against the baseline", "mkfs (s)", "sd"],
  ["'=ext4 (baseline)", "109340", "370", "", "1.5", ""],
  ["xfs", "-0.5", "0.1", "8.2%", "'-bad disk", ""],
  ["btrfs", "1.0", "0.1", "equivalent", "", ""],
];

function clipboardEvent(document: Document) {
  const data = new Map<string, string>();
  const clipboardData = { setData: (type: string, text: string) => data.set(type, text) };
  return { data, prevented: fire(document.body, "copy", { clipboardData }).defaultPrevented };
}

describe("a table that is copied", () => {
  let document: Document;
  let table: HTMLTableElement;

  beforeEach(() => {
    document = page(BODY);
    Object.assign(globalThis, { HTMLTableElement: window.HTMLTableElement });
    table = one(document, "#t") as HTMLTableElement;
    copyTables(document);
  });

  test("has numbers as programs write them, sd and verdicts in columns of their own", () => {
    assert.deepEqual(readTable(table, () => true).map(({ cells }) => cells), ROWS);
  });

  test("is what a selection goes through, and no more", () => {
    const range = document.createRange();
    range.setStart(one(document, "tr:nth-child(3) th"), 0);
    range.setEnd(one(document, "tr:nth-child(3) td"), 1);
    document.getSelection()?.addRange(range);

    const { data, prevented } = clipboardEvent(document);

    assert.ok(prevented);
    assert.equal(data.get("text/plain"), "xfs\t-0.5\t0.1\t8.2%");
    assert.match(data.get("text/html") ?? "", /<td>xfs<\/td><td>-0.5<\/td>/);
  });

  test("is left to the browser inside one cell, outside of tables, and where nothing is selected", () => {
    assert.ok(!clipboardEvent(document).prevented);
    for (const selector of ["tr:nth-child(2) td .mean", "#p"]) {
      document.getSelection()?.selectAllChildren(one(document, selector));
      assert.ok(!clipboardEvent(document).prevented);
    }
  });

  const pressed = async (clipboard: unknown): Promise<string> => {
    Object.defineProperty(globalThis, "navigator", { value: { clipboard }, configurable: true });
    const button = one(document, "button");
    fire(button, "click");
    await new Promise(setImmediate);
    return button.textContent;
  };

  test("is copied by its button, in both forms", async () => {
    let written: Record<string, Blob> = {};
    Object.assign(globalThis, { ClipboardItem: function (forms: Record<string, Blob>) { written = forms; } });

    assert.equal(await pressed({ write: () => Promise.resolve() }), "Copied");
    assert.equal(await written["text/plain"]?.text(), ROWS.map((row) => row.join("\t")).join("\n"));
    assert.match((await written["text/html"]?.text()) ?? "", /^<table>/);
  });

  test("is selected where the browser gives no clipboard, or the reader forbids it", async () => {
    Object.assign(globalThis, { ClipboardItem: function () { return {}; } });
    for (const clipboard of [undefined, { write: () => Promise.reject(new DOMException("no", "NotAllowedError")) }]) {
      assert.equal(await pressed(clipboard), "Selected; press Ctrl+C");
      assert.deepEqual(clipboardEvent(document).data.get("text/plain")?.split("\n").length, ROWS.length);
    }
  });
});
