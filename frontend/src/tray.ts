/** The compare tray: runs and campaigns chosen for comparison, kept from page to page in localStorage. */

export interface Choice {
  /** The UUID of a run or campaign. */
  id: string;
  label: string;
  /** The parameter of the comparison; "run" if absent. */
  as?: "campaign";
}

const KEY = "benchdb.tray";

/** The stored choices; empty if nothing valid is stored. */
export function storedChoices(storage: Storage): Choice[] {
  const text = storage.getItem(KEY);
  if (text === null) return [];
  try {
    const stored: unknown = JSON.parse(text);
    return Array.isArray(stored) ? stored.filter(isChoice) : [];
  } catch (error) {
    if (error instanceof SyntaxError) return [];
    throw error;
  }
}

/** The choices with or without these, without duplicates. */
export function withChoices(choices: Choice[], some: Choice[], chosen: boolean): Choice[] {
  const ids = new Set(some.map(({ id }) => id));
  if (!chosen) return choices.filter(({ id }) => !ids.has(id));
  const known = new Set(choices.map(({ id }) => id));
  return [...choices, ...some.filter(({ id }) => !known.has(id))];
}

/** Connects the page's check boxes, its "Add to comparison" buttons and the tray's line with the stored choices. */
export function connectTray(document: Document, storage: Storage): void {
  const tray = document.querySelector<HTMLFormElement>("[data-tray]");
  if (!tray) return;
  const boxes = [...document.querySelectorAll<HTMLInputElement>("[data-choose] input[type=checkbox]:not([data-choose-all])")];
  const adders = document.querySelectorAll<HTMLButtonElement>("button[data-tray-add]");
  const all = document.querySelector<HTMLInputElement>("[data-choose-all]");
  const enabled = boxes.filter(({ disabled }) => !disabled);

  const show = () => {
    const choices = storedChoices(storage);
    const chosen = new Set(choices.map(({ id }) => id));
    for (const box of boxes) box.checked = chosen.has(box.value);
    for (const adder of adders) adder.disabled = chosen.has(adder.dataset.trayAdd ?? "");
    if (all) showAll(all, enabled);
    showTray(tray, choices, choose);
  };
  const choose = (some: Choice[], chosen: boolean) => {
    storage.setItem(KEY, JSON.stringify(withChoices(storedChoices(storage), some, chosen)));
    show();
  };

  for (const box of boxes) {
    box.addEventListener("change", () => {
      choose([choiceOf(box)], box.checked);
    });
  }
  all?.addEventListener("change", () => {
    choose(enabled.map(choiceOf), all.checked);
  });
  for (const adder of adders) {
    const { trayAdd: id, trayAs, label } = adder.dataset;
    if (!id) continue;
    adder.addEventListener("click", () => {
      choose([{ id, label: label ?? id, ...(trayAs === "campaign" && { as: trayAs }) }], true);
    });
  }
  for (const button of document.querySelectorAll<HTMLButtonElement>("button[data-tray-all]")) {
    button.addEventListener("click", () => {
      void allOf(button).then((some) => {
        choose(some, true);
      });
    });
  }
  tray.querySelector("[data-tray-clear]")?.addEventListener("click", () => {
    storage.removeItem(KEY);
    show();
  });
  const view = document.defaultView;
  view?.addEventListener("storage", show); // changed in another tab
  view?.addEventListener("pageshow", show); // after a step back in the history, where check boxes keep their old state
  show();
}

/** Fetches the runs of all pages of a list; the button is disabled meanwhile. */
async function allOf(button: HTMLButtonElement): Promise<Choice[]> {
  button.disabled = true;
  try {
    const answer = await fetch(button.dataset.trayAll ?? "");
    if (!answer.ok) throw new Error(`${answer.url}: ${answer.status}`);
    return ((await answer.json()) as { runs: Choice[] }).runs;
  } finally {
    button.disabled = false;
  }
}

function choiceOf(box: HTMLInputElement): Choice {
  return { id: box.value, label: box.dataset.label ?? box.value };
}

/** Whether all, none or some runs of a page are chosen. */
function showAll(all: HTMLInputElement, boxes: HTMLInputElement[]): void {
  const chosen = boxes.filter(({ checked }) => checked).length;
  all.disabled = boxes.length === 0;
  all.checked = chosen > 0 && chosen === boxes.length;
  all.indeterminate = chosen > 0 && chosen < boxes.length;
}

type Choose = (some: Choice[], chosen: boolean) => void;

function showTray(tray: HTMLFormElement, choices: Choice[], choose: Choose): void {
  tray.hidden = choices.length === 0 || isCompared(tray, choices);
  const count = tray.querySelector("[data-tray-count]");
  if (count) count.textContent = inWords(choices);
  const items = choices.map((choice) => item(tray.ownerDocument, choice, choose));
  tray.querySelector("[data-tray-list]")?.replaceChildren(...items);
}

/** Whether the present page already compares all choices: its address names them, or a permalink lists them. */
function isCompared(tray: HTMLFormElement, choices: Choice[]): boolean {
  const here = tray.ownerDocument.location;
  const frozen = tray.ownerDocument.querySelector<HTMLElement>("[data-compared]")?.dataset.compared;
  if (frozen === undefined && new URL(tray.action).pathname !== here.pathname) return false;
  const compared = new URLSearchParams(frozen ?? here.search);
  return choices.every(({ id, as }) => compared.getAll(as ?? "run").includes(id));
}

/** `3 runs`, `1 campaign and 2 runs`. */
function inWords(choices: Choice[]): string {
  const campaigns = choices.filter((choice) => choice.as === "campaign").length;
  const runs = choices.length - campaigns;
  const counts = [plural(campaigns, "campaign"), plural(runs, "run")];
  return counts.filter((count) => !count.startsWith("0")).join(" and ");
}

function plural(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}

/** The element of one choice: label, button to remove it, and form field. */
function item(document: Document, choice: Choice, choose: Choose): HTMLLIElement {
  const takeOut = document.createElement("button");
  takeOut.type = "button";
  takeOut.className = "take-out";
  takeOut.textContent = "✕";
  takeOut.setAttribute("aria-label", `Take ${choice.label} out`);
  takeOut.addEventListener("click", () => {
    choose([choice], false);
  });
  const field = document.createElement("input");
  field.type = "hidden";
  field.name = choice.as ?? "run";
  field.value = choice.id;
  const element = document.createElement("li");
  element.append(choice.label, " ", takeOut, field);
  return element;
}

function isChoice(value: unknown): value is Choice {
  if (typeof value !== "object" || value === null) return false;
  if ("as" in value && value.as !== "campaign") return false;
  return "id" in value && typeof value.id === "string" && "label" in value && typeof value.label === "string";
}
