/** Filters the values of a long facet during typing; the server does the same when the form is sent. */

export function findAsTyped(document: Document): void {
  for (const field of document.querySelectorAll<HTMLInputElement>("input[data-find]")) {
    field.addEventListener("input", () => {
      show(field);
    });
  }
}

function show(field: HTMLInputElement): void {
  const facet = field.closest("fieldset");
  const sought = field.value.trim().toLocaleLowerCase();
  for (const rest of facet?.querySelectorAll("details") ?? []) rest.open = sought !== "";
  for (const option of facet?.querySelectorAll("label") ?? []) {
    const box = option.querySelector<HTMLInputElement>("input[type=checkbox]");
    const label = option.querySelector("span")?.textContent.toLocaleLowerCase() ?? "";
    if (box) option.hidden = !box.checked && !label.includes(sought);
  }
}
