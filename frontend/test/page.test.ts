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

test("a form sends itself when a select changes, and not while somebody writes", () => {
  const document = page(`<form data-autosubmit><select><option>a</select><input name="q"></form>`);
  const form = (one(document, "form") as HTMLFormElement);
  let sent = 0;
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    sent += 1;
  });
  submitOnChange(document);
  fire(one(form, "input"), "change");
  assert.equal(sent, 0);
  fire(one(form, "select"), "change");
  assert.equal(sent, 1);
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
  assert.deepEqual(waiting.pauses, [1, 1.5, 2.25]);
});

test("a server that refuses is not asked again", async () => {
  const waiting = answers(new Response(null, { status: 404 }));
  await assert.rejects(watchState(one(page(STEPS), "ol"), waiting), /\/runs\/1\/state answered 404/);
});

test("an element without an address to ask is a mistake", async () => {
  await assert.rejects(watchState(one(page("<ol></ol>"), "ol"), answers()), /data-poll/);
});
