/**
 * Submits a form[data-autosubmit] when one of its selects changes, and if list and filters are side by side also when a
 * box[data-at-once] changes. The next page has the same box in focus at the same position.
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

/** True for a select, and for a box if there is room to see its effect. */
function isAtOnce(field: HTMLSelectElement | HTMLInputElement): boolean {
  if (field instanceof HTMLSelectElement) return true;
  return field.dataset.atOnce !== undefined && window.matchMedia("(min-width: 60rem)").matches;
}

/** Removes empty fields, so that the address does not contain them. */
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
  const [name, value, top] = JSON.parse(stored) as [string, string, number];
  const fields = document.querySelectorAll<HTMLInputElement | HTMLSelectElement>("[data-at-once], [data-autosubmit] select");
  const field = [...fields].find((candidate) => candidate.name === name && candidate.value === value);
  if (!field) return;
  field.closest("details")?.setAttribute("open", "");
  window.scrollTo({ top, behavior: "instant" });
  field.focus({ preventScroll: true });
}
