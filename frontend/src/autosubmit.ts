/** Sends a form[data-autosubmit] as soon as one of its selects changes. */
export function submitOnChange(root: ParentNode): void {
  for (const form of root.querySelectorAll<HTMLFormElement>("form[data-autosubmit]")) {
    form.addEventListener("change", (event) => {
      if (event.target instanceof HTMLSelectElement) form.requestSubmit();
    });
  }
}
