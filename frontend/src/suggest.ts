/** Suggests pages under the box of the search while a reader types; without an answer the box stays as it is. */

const PAUSE_MS = 150; // after the last key

interface Suggestion { text: string; note: string; href: string }

export function suggestAsTyped(document: Document): void {
  const box = document.querySelector<HTMLInputElement>("input[data-suggest]");
  if (box) new Suggestions(document, box).listen();
}

class Suggestions {
  readonly #document: Document;
  readonly #box: HTMLInputElement;
  readonly #list: HTMLElement;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #request = new AbortController();

  constructor(document: Document, box: HTMLInputElement) {
    [this.#document, this.#box, this.#list] = [document, box, document.createElement("div")];
    const ofList = { "id": "suggestions", "class": "suggestions", "role": "listbox", "aria-label": "Suggestions" };
    const ofBox = { "role": "combobox", "autocomplete": "off", "aria-autocomplete": "list", "aria-controls": "suggestions" };
    for (const [name, value] of Object.entries(ofList)) this.#list.setAttribute(name, value);
    for (const [name, value] of Object.entries(ofBox)) box.setAttribute(name, value);
    this.#show([]);
    box.after(this.#list);
  }

  listen(): void {
    this.#box.addEventListener("input", () => {
      this.#forget();
      this.#timer = setTimeout(() => { void this.#ask(this.#box.value.trim()); }, PAUSE_MS);
    });
    this.#box.addEventListener("keydown", (event) => { this.#press(event); });
    this.#box.addEventListener("blur", () => { this.#forget(); this.#show([]); });
    this.#list.addEventListener("mousedown", (event) => { event.preventDefault(); }); // the box keeps the focus
  }

  #forget(): void {
    clearTimeout(this.#timer);
    this.#request.abort();
  }

  async #ask(text: string): Promise<void> {
    const { signal } = this.#request = new AbortController();
    const address = `${this.#box.dataset.suggest ?? ""}?${new URLSearchParams({ q: text }).toString()}`;
    try {
      const response = text.length > 1 ? await fetch(address, { signal }) : undefined;
      const lines = response?.ok ? ((await response.json()) as { lines: Suggestion[] }).lines : [];
      if (!signal.aborted) this.#show(lines);
    } catch {
      if (!signal.aborted) this.#show([]);
    }
  }

  #show(lines: readonly Suggestion[]): void {
    this.#list.replaceChildren(...lines.map((line, i) => this.#option(line, i)));
    this.#list.hidden = lines.length === 0;
    this.#box.setAttribute("aria-expanded", String(!this.#list.hidden));
    this.#choose(undefined);
  }

  #option({ text, note, href }: Suggestion, index: number): HTMLElement {
    const [option, faint] = [this.#document.createElement("a"), this.#document.createElement("span")];
    Object.assign(option, { id: `suggestion-${index}`, href, role: "option", tabIndex: -1 });
    Object.assign(faint, { className: "faint", textContent: note });
    option.append(`${text} `, faint);
    return option;
  }

  #choose(chosen: Element | undefined): void {
    for (const option of this.#list.children) option.setAttribute("aria-selected", String(option === chosen));
    this.#box.setAttribute("aria-activedescendant", chosen?.id ?? "");
    chosen?.scrollIntoView({ block: "nearest" });
  }

  #press(event: KeyboardEvent): void {
    const options = [...this.#list.children];
    const at = options.findIndex((option) => option.ariaSelected === "true");
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (options.length === 0 || event.isComposing) return;
    if (step) this.#choose([undefined, ...options].at((at + 1 + step) % (options.length + 1)));
    else if (event.key === "Escape") this.#show([]);
    else if (event.key === "Enter" && at >= 0) (options[at] as HTMLElement).click();
    else return;
    event.preventDefault();
  }
}
