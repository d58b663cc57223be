/** The pages of imports: given, sent, followed. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { showGiven, takeWhatIsGiven } from "../src/import/give.ts";
import { followProgress } from "../src/import/progress.ts";
import { sendWithProgress } from "../src/import/send.ts";
import { fire, one, page } from "./dom.ts";

const FORM = `<form data-give data-most-bytes="2048"><input type="file" multiple>
  <p data-given></p><textarea></textarea></form><p id="else"></p>`;

function form(): { document: Document; form: HTMLFormElement; text: HTMLTextAreaElement } {
  const document = page(FORM);
  Object.assign(globalThis, { Event: document.defaultView?.Event });
  const found = one(document, "form") as HTMLFormElement;
  takeWhatIsGiven(found);
  return { document, form: found, text: one(document, "textarea") as HTMLTextAreaElement };
}

function holding(text: string): object {
  return { files: [], getData: () => text };
}

test("text that is dropped anywhere or pasted beside the fields fills the text", () => {
  const { document, form: found, text } = form();
  const elsewhere = one(document, "#else");
  fire(elsewhere, "dragover");
  assert.ok(found.classList.contains("dragged"));
  fire(elsewhere, "drop", { dataTransfer: holding("iozone") });
  assert.ok(!found.classList.contains("dragged"));
  assert.equal(text.value, "iozone");
  const pasted = fire(elsewhere, "paste", { clipboardData: holding("bonnie") });
  assert.equal(text.value, "bonnie");
  assert.ok(pasted.defaultPrevented);
});

test("dropped files are sent at once, unless they are too much", () => {
  const { document, form: found, text } = form();
  Object.defineProperty(one(document, "input"), "files", { writable: true, value: [] });
  const sent: string[] = [];
  found.addEventListener("submit", (event) => {
    event.preventDefault();
    sent.push(one(document, "[data-given]").textContent);
  });
  const drop = (size: number) => {
    fire(one(document, "#else"), "drop", { dataTransfer: { files: [{ name: "a.txt", size }], getData: () => "" } });
  };
  drop(4096);
  assert.deepEqual(sent, []);
  drop(100);
  assert.deepEqual(sent, ["1 file, 100 B: a.txt"]);
  fire(one(document, "#else"), "drop", { dataTransfer: holding("iozone") });
  assert.equal(text.value, "iozone");
  assert.equal(sent.length, 1);
});

test("what goes into a field, and nothing, is left to the browser", () => {
  const { document, text } = form();
  text.value = "mine";
  assert.ok(!fire(text, "paste", { clipboardData: holding("other") }).defaultPrevented);
  assert.ok(!fire(text, "drop", { dataTransfer: holding("other") }).defaultPrevented);
  assert.ok(!fire(one(document, "#else"), "paste", { clipboardData: holding("") }).defaultPrevented);
  assert.equal(text.value, "mine");
});

test("what was chosen is named with its size, and too much is said at once", () => {
  const { document, form: found } = form();
  const said = one(document, "[data-given]");
  fire(one(document, "input"), "change");
  assert.equal(said.textContent, "");
  showGiven(found, [{ name: "a.txt", size: 100 }]);
  assert.equal(said.textContent, "1 file, 100 B: a.txt");
  showGiven(found, Array.from({ length: 10 }, (_, i) => ({ name: `${i}`, size: 1024 })));
  assert.match(said.textContent, /^10 files, 10 KiB: 0, .* and 2 more This is more than 2 KiB/);
  assert.ok(said.classList.contains("too-much"));
});

test("progress is shown until the state is another", async () => {
  const document = page(
    `<p data-progress="/state" data-state="reading"><progress max="100"></progress><span></span></p>`,
  );
  const line = one(document, "p");
  const seen: (string | null)[] = [];
  const answers: (Response | TypeError)[] = [
    new TypeError("no connection"),
    new Response("", { status: 502 }),
    Response.json({ state: "reading", percent: 40, text: "2 of 5 files read" }),
    Response.json({ state: "reading", percent: null, text: "being stored" }),
    Response.json({ state: "ready", percent: 100, text: "" }),
  ];
  await followProgress(line, {
    pause: () => {
      seen.push(`${line.querySelector("progress")?.getAttribute("value")} ${line.querySelector("span")?.textContent}`);
      return Promise.resolve();
    },
    fetch: () => {
      const answer = answers.shift();
      return answer instanceof Response ? Promise.resolve(answer) : Promise.reject(answer ?? new Error("too often"));
    },
  });
  assert.deepEqual(seen.slice(2), ["null ", "40 2 of 5 files read", "null being stored"]);
  await assert.rejects(followProgress(one(page("<p></p>"), "p")), /needs data-progress/);
});

/** A request whose answer the test gives: jsdom's own would need a server of the page's origin. */
class Answered {
  static last: Answered;
  status = 0;
  responseURL = "";
  responseText = "";
  sent: unknown;
  readonly handlers: Record<string, () => void> = {};
  told: (event: object) => void = () => undefined;
  upload = {
    addEventListener: (_: string, told: (event: object) => void) => {
      this.told = told;
    },
  };
  addEventListener(type: string, handler: () => void): void {
    this.handlers[type] = handler;
  }
  open(method: string, address: string): void {
    this.sent = [method, address];
    Answered.last = this;
  }
  send(): void {
    this.told({ loaded: 1024 ** 2, total: 2 * 1024 ** 2 });
  }
  end(type: string, answer: { status?: number; responseURL?: string; responseText?: string } = {}): void {
    Object.assign(this, answer);
    this.handlers[type]?.();
  }
}

test("a large form is sent with its progress, and the answer is followed", () => {
  const document = page(`<form method="post" action="/import/"><textarea name="text"></textarea>
    <button type="submit">Analyze</button><p data-sending hidden><progress max="100"></progress><span></span></p></form>`);
  const { FormData, DOMParser } = document.defaultView as unknown as typeof globalThis;
  Object.assign(globalThis, { FormData, DOMParser, XMLHttpRequest: Answered });
  const found = one(document, "form") as HTMLFormElement;
  const [said, button] = [one(document, "span"), one(document, "button") as HTMLButtonElement];
  let went = "";
  sendWithProgress(found, (address) => {
    went = address;
  });

  assert.ok(!fire(found, "submit").defaultPrevented, "small: the browser sends it");
  (one(document, "textarea") as HTMLTextAreaElement).value = "x".repeat(2 * 1024 ** 2);
  assert.ok(fire(found, "submit").defaultPrevented);
  assert.deepEqual(Answered.last.sent, ["POST", "http://localhost/import/"]);
  assert.ok(button.disabled && !one(document, "[data-sending]").hidden);
  assert.equal(said.textContent, "1 MiB of 2 MiB sent");
  Answered.last.end("load", { status: 200, responseURL: "http://localhost/import/1/" });
  assert.equal(went, "http://localhost/import/1/");
  assert.ok(!button.disabled);

  fire(found, "submit");
  Answered.last.end("load", { status: 422, responseText: "<ul id='import-faults'><li>An archive of archives.</li></ul>" });
  assert.equal(said.textContent, "An archive of archives.");
  fire(found, "submit");
  Answered.last.end("error");
  assert.match(said.textContent, /connection broke/);
});
