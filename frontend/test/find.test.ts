import assert from "node:assert/strict";
import { test } from "node:test";
import { findAsTyped } from "../src/find.ts";
import { fire, one, page } from "./dom.ts";

const option = (value: string, checked = "") =>
  `<label><input type="checkbox" name="kernel" value="${value}"${checked}> <span>${value}</span> <span class="runs">61</span></label>`;
const BODY = `<fieldset><input type="search" data-find>${option("6.1.0-28")}${option("6.18.2")}${option("5.10", " checked")}
  <details><summary>2 more</summary>${option("6.1.0-31")}${option("4.19")}</details>
  <label>at least <input type="text" name="memory_min"></label></fieldset>`;

test("what is typed leaves the values that contain it, and those that are chosen", () => {
  const document = page(BODY);
  findAsTyped(document);
  const field = one(document, "[data-find]") as HTMLInputElement;
  const type = (text: string) => {
    field.value = text;
    fire(field, "input");
  };
  const shown = () => [...document.querySelectorAll("label:not([hidden]) input")].map((each) => (each as HTMLInputElement).value);

  type("6.1.0");
  assert.deepEqual(shown(), ["6.1.0-28", "5.10", "6.1.0-31", ""]);
  assert.equal(one(document, "details").hasAttribute("open"), true);

  type("61"); // the runs beside a value are no part of it
  assert.deepEqual(shown(), ["5.10", ""]);

  type("");
  assert.equal(shown().length, 6);
  assert.equal(one(document, "details").hasAttribute("open"), false);
});
