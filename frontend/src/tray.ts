/** The compare tray: runs chosen for comparison, kept from page to page in localStorage. */

export interface Choice {
  /** UUID of a run. */
  id: string;
  label: string;
}

const KEY = "benchdb.tray";

/** What is stored; nothing where it was never stored or is not ours to understand. */
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

/** The choices with one more, or with one less. */
export function withChoice(choices: Choice[], choice: Choice, chosen: boolean): Choice[] {
  const others = choices.filter(({ id }) => id !== choice.id);
  if (!chosen) return others;
  return choices.length > others.length ? choices : [...choices, choice];
}

/** Ties the page's check boxes, its "Add to comparison" buttons and the tray's line to what is stored. */
export function connectTray(document: Document, storage: Storage): void {
  const tray = document.querySelector<HTMLFormElement>("[data-tray]");
  if (!tray) return;
  const boxes = document.querySelectorAll<HTMLInputElement>("[data-choose] input[type=checkbox]");
  const adders = document.querySelectorAll<HTMLButtonElement>("button[data-tray-add]");

  const show = () => {
    const choices = storedChoices(storage);
    const chosen = new Set(choices.map(({ id }) => id));
    for (const box of boxes) box.checked = chosen.has(box.value);
    for (const adder of adders) adder.disabled = chosen.has(adder.dataset.trayAdd ?? "");
    showTray(tray, choices, choose);
  };
  const choose = (choice: Choice, chosen: boolean) => {
    storage.setItem(KEY, JSON.stringify(withChoice(storedChoices(storage), choice, chosen)));
    show();
  };

  for (const box of boxes) {
    box.addEventListener("change", () => {
      choose({ id: box.value, label: box.dataset.label ?? box.value }, box.checked);
    });
  }
  for (const adder of adders) {
    const { trayAdd: id, label } = adder.dataset;
    if (!id) continue;
    adder.addEventListener("click", () => {
      choose({ id, label: label ?? id }, true);
    });
  }
  tray.querySelector("[data-tray-clear]")?.addEventListener("click", () => {
    storage.removeItem(KEY);
    show();
  });
  const view = document.defaultView;
  view?.addEventListener("storage", show); // changed in another tab
  view?.addEventListener("pageshow", show); // back from the history, where check boxes keep their old state
  show();
}

function showTray(tray: HTMLFormElement, choices: Choice[], choose: (choice: Choice, chosen: boolean) => void): void {
  tray.hidden = choices.length === 0;
  const count = tray.querySelector("[data-tray-count]");
  if (count) count.textContent = choices.length === 1 ? "1 run" : `${choices.length} runs`;
  const items = choices.map((choice) => item(tray.ownerDocument, choice, choose));
  tray.querySelector("[data-tray-list]")?.replaceChildren(...items);
}

/** One choice: its label, the button that takes it out, and the field that the form sends. */
function item(document: Document, choice: Choice, choose: (choice: Choice, chosen: boolean) => void): HTMLLIElement {
  const takeOut = document.createElement("button");
  takeOut.type = "button";
  takeOut.className = "take-out";
  takeOut.textContent = "✕";
  takeOut.setAttribute("aria-label", `Take ${choice.label} out`);
  takeOut.addEventListener("click", () => {
    choose(choice, false);
  });
  const field = document.createElement("input");
  field.type = "hidden";
  field.name = "run";
  field.value = choice.id;
  const element = document.createElement("li");
  element.append(choice.label, " ", takeOut, field);
  return element;
}

function isChoice(value: unknown): value is Choice {
  if (typeof value !== "object" || value === null) return false;
  return "id" in value && typeof value.id === "string" && "label" in value && typeof value.label === "string";
}
