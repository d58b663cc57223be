/**
 * Sends a form[data-autosubmit] as soon as one of its selects changes, and where list and filters stand side by side as
 * soon as a box[data-at-once] does. The page that answers has the same box in focus at the same place.
 */

const KEY = "benchdb.chosen";

export function submitOnChange(document: Document, storage: Storage): void {
  document.addEventListener("change", ({ target }) => {
    if (!(target instanceof HTMLSelectElement || target instanceof HTMLInputElement)) return;
    const form = target.form;
    if (form?.dataset.autosubmit === undefined || !isAtOnce(target)) return;
    storage.setItem(KEY, JSON.stringify([target.name, target.value, window.scrollY]));
    form.requestSubmit();
  });
  for (const form of document.querySelectorAll<HTMLFormElement>("form[data-autosubmit]")) {
    form.addEventListener("formdata", ({ formData }) => {
      leaveOutEmpty(formData);
    });
  }
  backToChosen(document, storage);
}

/** A select always; a box where there is room to see what it does. */
function isAtOnce(field: HTMLSelectElement | HTMLInputElement): boolean {
  if (field instanceof HTMLSelectElement) return true;
  return field.dataset.atOnce !== undefined && window.matchMedia("(min-width: 60rem)").matches;
}

/** A field that says nothing is no part of the address. */
function leaveOutEmpty(data: FormData): void {
  for (const name of new Set(data.keys())) {
    const values = data.getAll(name).filter((value) => value !== "");
    data.delete(name);
    for (const value of values) data.append(name, value);
  }
}

function backToChosen(document: Document, storage: Storage): void {
  const stored = storage.getItem(KEY);
  storage.removeItem(KEY);
  if (stored === null) return;
  const [name, value, place] = JSON.parse(stored) as [string, string, number];
  const fields = document.querySelectorAll<HTMLInputElement | HTMLSelectElement>("[data-at-once], [data-autosubmit] select");
  const field = [...fields].find((each) => each.name === name && each.value === value);
  if (!field) return;
  window.scrollTo({ top: place, behavior: "instant" });
  field.focus({ preventScroll: true });
}
