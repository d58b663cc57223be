/** The small helpers: copy buttons, forms that send themselves, waiting for a state. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate } from "node:timers/promises";
import { submitOnChange } from "../src/autosubmit.ts";
import { enableCopyButtons } from "../src/copy.ts";
import { readJson } from "../src/json.ts";
import { watchState } from "../src/poll.ts";
import { fire, one, page } from "./dom.ts";

const COMMAND = '<code id="command"> iozone -a </code><button type="button" data-copy="command">Copy</button>';

test("a copy button copies the text it names", async () => {
  const document = page(COMMAND);
  const copied: string[] = [];
  enableCopyButtons(document, { writeText: (text: string) => Promise.resolve(void copied.push(text)) } as unknown as Clipboard);
  one(document, "button").click();
  await setImmediate();
  assert.deepEqual(copied, ["iozone -a"]);
  assert.equal(one(document, "button").textContent, "Copied");
});

test("without a clipboard, or without leave to use it, the text is selected", async () => {
  const refusing = { writeText: () => Promise.reject(new DOMException("no", "NotAllowedError")) } as unknown as Clipboard;
  for (const clipboard of [undefined, refusing]) {
    const document = page(COMMAND);
    enableCopyButtons(document, clipboard);
    one(document, "button").click();
    await setImmediate();
    assert.equal(document.getSelection()?.toString().trim(), "iozone -a");
    assert.equal(one(document, "button").textContent, "Selected; press Ctrl+C");
  }
});

const FILTERS = `
  <form id="f" data-autosubmit><select name="sort"><option>a</select><input name="q">
    <input type="checkbox" name="tool" value="iozone" data-at-once><input type="checkbox" name="row" value="1"></form>
  <select form="f" name="outside"><option>b</select>`;

/** How often a form was sent; `wide` is what the window says of its width. */
function filters(wide: boolean, storage?: Storage) {
  const document = page(FILTERS);
  const form = one(document, "form") as HTMLFormElement;
  const sent: string[] = [];
  Object.assign(window, { matchMedia: () => ({ matches: wide }), scrollTo: ({ top }: ScrollToOptions) => sent.push(`top ${top}`) });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    sent.push("form");
  });
  submitOnChange(document, storage ?? window.sessionStorage);
  return { document, form, sent };
}

test("a form sends itself when a select of it changes, wherever it stands, and not while somebody writes", () => {
  const { document, form, sent } = filters(false);
  fire(one(form, "input"), "change");
  fire(one(form, "[data-at-once]"), "change");
  assert.equal(sent.length, 0);
  fire(one(form, "select"), "change");
  fire(one(document, "[name=outside]"), "change");
  assert.equal(sent.length, 2);
});

test("on a wide screen a box of the filters sends them, and the next page goes on at the same box", () => {
  const { form, sent } = filters(true);
  fire(one(form, "[name=row]"), "change");
  assert.deepEqual(sent, []);
  fire(one(form, "[data-at-once]"), "change");
  const { document, sent: next } = filters(true, window.sessionStorage);
  assert.deepEqual([sent, next], [["form"], ["top 0"]]);
  assert.equal(document.activeElement, one(document, "[data-at-once]"));
  assert.equal(window.sessionStorage.length, 0);
});

test("fields that are empty are not sent", () => {
  const { form } = filters(true);
  const data = new FormData();
  for (const [name, value] of [["q", ""], ["tool", "iozone"], ["tool", ""], ["tool", "fio"]] as const) data.append(name, value);
  fire(form, "formdata", { formData: data });
  assert.deepEqual([...data], [["tool", "iozone"], ["tool", "fio"]]);
});

test("a data script that is not there is named", () => {
  assert.throws(() => readJson(page(""), "surface-data"), /#surface-data/);
});

const STEPS = '<ol data-poll="/runs/1/state" data-state="received"></ol>';

/** Answers in turn; remembers how long it was paused before each. */
function answers(...given: (Response | TypeError)[]) {
  const pauses: number[] = [];
  return {
    pauses,
    fetch: () => {
      const answer = given.shift();
      return answer instanceof Response ? Promise.resolve(answer) : Promise.reject(answer ?? new Error("asked too often"));
    },
    pause: (seconds: number) => {
      pauses.push(seconds);
      return Promise.resolve();
    },
  };
}

const state = (text: string) => Response.json({ state: text });

test("waiting ends when the state is another", async () => {
  const waiting = answers(state("received"), state("received"), state("computing"));
  await watchState(one(page(STEPS), "ol"), waiting);
  assert.equal(waiting.pauses.length, 3);
});

test("waiting ends when the version is another, where there is one", async () => {
  const version = (version: string) => Response.json({ state: "running", version });
  const waiting = answers(version("running.3.7"), version("running.3.8"));
  const document = page('<div data-poll="/campaigns/1/state" data-state="running.3.7"></div>');
  await watchState(one(document, "div"), waiting);
  assert.equal(waiting.pauses.length, 2);
});

test("a server that is away or fails is asked again, more slowly", async () => {
  const waiting = answers(new TypeError("failed to fetch"), new Response(null, { status: 503 }), state("ready"));
  await watchState(one(page(STEPS), "ol"), waiting);
  assert.deepEqual(waiting.pauses.map((seconds) => seconds.toFixed(3)), ["0.300", "0.450", "0.675"]);
});

test("a server that refuses is not asked again", async () => {
  const waiting = answers(new Response(null, { status: 404 }));
  await assert.rejects(watchState(one(page(STEPS), "ol"), waiting), /\/runs\/1\/state answered 404/);
});

test("an element without an address to ask is a mistake", async () => {
  await assert.rejects(watchState(one(page("<ol></ol>"), "ol"), answers()), /data-poll/);
});
