/**
 * Chooses a cell of a comparison by a click beside its number, or on its mark in a chart. Every view marks the cell, links
 * to other views lead to it, and the address contains it.
 */
import type { Detail } from "./panel/detail.ts";
import { Details } from "./panel/details.ts";

const PARAMETER = "cell";

export function chooseCells(document: Document): void {
  for (const nav of document.querySelectorAll<HTMLElement>("[data-views]")) {
    const table = document.getElementById(nav.dataset.views ?? "");
    const details = table && Details.around(table);
    if (details) new Choice(nav, table, details).listen();
  }
}

class Choice {
  readonly #document: Document;
  readonly #nav: HTMLElement;
  readonly #table: HTMLElement;
  readonly #details: Details;
  #key: string | undefined;

  constructor(nav: HTMLElement, table: HTMLElement, details: Details) {
    this.#document = nav.ownerDocument;
    [this.#nav, this.#table, this.#details] = [nav, table, details];
    this.#key = nav.dataset.key;
  }

  listen(): void {
    this.#table.addEventListener("click", ({ target }) => {
      if (!(target instanceof Element) || target.closest("a, aside")) return; // the number is a link to its result
      const id = target.closest("td[id]")?.id;
      if (id) this.#choose(id.slice(1));
    });
    for (const chart of this.#charts) {
      chart.addEventListener("click", (event: MouseEvent) => {
        const mark = event.target instanceof Element ? event.target.closest<SVGElement>("a[data-cell]") : null;
        if (!mark || event.ctrlKey || event.metaKey || event.shiftKey) return; // these open the link elsewhere
        event.preventDefault();
        this.#choose(mark.dataset.cell?.slice(1));
      });
    }
    this.#nav.querySelector("[data-chosen-clear]")?.addEventListener("click", (event) => {
      event.preventDefault();
      this.#choose(undefined);
    });
  }

  /** Chooses the cell `G-R-C`; the same cell again, or undefined, clears the choice. */
  #choose(key: string | undefined): void {
    if (key !== undefined && !this.#document.querySelector(`#c${key} [data-cell]`)) return; // it was not measured
    this.#mark(false);
    this.#key = key === this.#key ? undefined : key;
    this.#mark(true);
    void this.#say();
    const others = location.search.slice(1).split("&").filter((pair) => pair && !pair.startsWith(`${PARAMETER}=`));
    const search = [...others, ...(this.#key === undefined ? [] : [`${PARAMETER}=${this.#key}`])].join("&");
    history.replaceState(history.state, "", `${location.pathname}${search && `?${search}`}${location.hash}`);
    for (const field of this.#document.querySelectorAll<HTMLInputElement>("input[data-chosen-cell]")) field.value = this.#key ?? "";
    for (const link of this.#nav.querySelectorAll<HTMLAnchorElement>('[data-chart]:not([href^="#"])')) {
      const address = new URL(link.href);
      address.searchParams.delete(PARAMETER);
      if (this.#key !== undefined) address.searchParams.set(PARAMETER, this.#key);
      link.href = address.href;
    }
  }

  #mark(on: boolean): void {
    if (this.#key === undefined) return;
    this.#document.getElementById(`c${this.#key}`)?.classList.toggle("chosen", on);
    for (const chart of this.#charts) chart.querySelector(`[data-cell="c${this.#key}"]`)?.classList.toggle("chosen", on);
  }

  get #charts(): HTMLElement[] {
    return [...this.#document.querySelectorAll<HTMLElement>(`.chart[data-details="${this.#table.dataset.details ?? ""}"]`)];
  }

  /** Names the chosen cell and links to its views, as soon as its panel is here. */
  async #say(): Promise<void> {
    const key = this.#key;
    const panel = `c${key ?? this.#nav.dataset.default ?? ""}`;
    const links = this.#nav.querySelectorAll<HTMLAnchorElement>("[data-view]");
    const known = this.#details.now(panel);
    if (!known) for (const link of links) link.hidden = true; // they lead to the cell that was chosen before
    const detail = known ?? (await this.#details.load(panel).catch(failed));
    if (this.#key !== key) return; // another cell was chosen meanwhile
    this.#text("[data-chosen-title]", key === undefined ? "" : (detail?.title ?? ""));
    this.#text("[data-chosen-headline]", key === undefined ? "" : (detail?.headline ?? ""));
    this.#show("[data-chosen]", key !== undefined);
    this.#show("[data-chosen-none]", key === undefined);
    for (const link of links) {
      const href = detail?.views?.[link.dataset.view ?? ""];
      link.hidden = href === undefined;
      if (href !== undefined) link.href = href;
    }
  }

  #text(selector: string, text: string): void {
    const element = this.#nav.querySelector(selector);
    if (element) element.textContent = text;
  }

  #show(selector: string, shown: boolean): void {
    const element = this.#nav.querySelector<HTMLElement>(selector);
    if (element) element.hidden = !shown;
  }
}

/** What the page says of a chosen cell if the server does not answer. */
function failed(error: unknown): Pick<Detail, "title" | "headline" | "views"> {
  return { title: "", headline: `The name and the views of this cell could not be loaded: ${(error as Error).message}.` };
}
