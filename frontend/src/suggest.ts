/** Suggests pages under the box of the search while a reader types; without an answer the box stays as it is. */

const PAUSE_MS = 150; // after the last key

interface Suggestion { text: string; note: string; href: string }

export function suggestAsTyped(document: Document): void {
  const box = document.querySelector<HTMLInputElement>("input[data-suggest]");
  if (box) new Suggestions(box, document.createElement("div"));
}

class Suggestions {
  readonly #box: HTMLInputElement;
  readonly #list: HTMLElement;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #request = new AbortController();

  constructor(box: HTMLInputElement, list: HTMLElement) {
    [this.#box, this.#list] = [box, list];
    setAll(list, { "id": "suggestions", "class": "over suggestions", "role": "listbox", "aria-label": "Suggestions" });
    setAll(box, { "role": "combobox", "autocomplete": "off", "aria-autocomplete": "list", "aria-controls": "suggestions" });
    this.#show([]);
    box.after(list);
    box.addEventListener("input", () => {
      this.#forget();
      this.#timer = setTimeout(() => { void this.#ask(box.value.trim()); }, PAUSE_MS);
    });
    box.addEventListener("keydown", (event) => { this.#press(event); });
    box.addEventListener("blur", () => { this.#forget(); this.#show([]); });
    list.addEventListener("mousedown", (event) => { event.preventDefault(); }); // the box keeps the focus
  }

  #forget(): void {
    clearTimeout(this.#timer);
    this.#request.abort();
  }

  async #ask(text: string): Promise<void> {
    const { signal } = this.#request = new AbortController();
    const address = `${this.#box.dataset.suggest ?? ""}?${new URLSearchParams({ q: text }).toString()}`;
    const response = text.length > 1 ? await fetch(address, { signal }).catch(() => undefined) : undefined;
    const answer = response?.ok ? (await response.json().catch(() => undefined)) as { lines: Suggestion[] } | undefined : undefined;
    if (!signal.aborted) this.#show(answer?.lines ?? []);
  }

  #show(lines: readonly Suggestion[]): void {
    this.#list.replaceChildren(...lines.map(({ text, note, href }, i) => {
      const [option, faint] = [this.#box.ownerDocument.createElement("a"), this.#box.ownerDocument.createElement("span")];
      Object.assign(faint, { className: "faint", textContent: note });
      setAll(option, { id: `suggestion-${i}`, href, role: "option", tabindex: "-1" }).append(`${text} `, faint);
      return option;
    }));
    this.#list.hidden = lines.length === 0;
    this.#choose(undefined);
  }

  #choose(chosen: Element | undefined): void {
    for (const option of this.#list.children) option.setAttribute("aria-selected", String(option === chosen));
    setAll(this.#box, { "aria-expanded": String(!this.#list.hidden), "aria-activedescendant": chosen?.id ?? "" });
  }

  #press(event: KeyboardEvent): void {
    const options = [...this.#list.querySelectorAll("a")];
    const at = options.findIndex((option) => option.ariaSelected === "true");
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (options.length === 0 || event.isComposing) return;
    if (step) this.#choose([undefined, ...options].at((at + 1 + step) % (options.length + 1)));
    else if (event.key === "Escape") this.#show([]);
    else if (event.key === "Enter" && at >= 0) options[at]?.click();
    else return;
    event.preventDefault();
  }
}

function setAll(element: HTMLElement, attributes: Record<string, string>): HTMLElement {
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  return element;
}
