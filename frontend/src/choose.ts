/**
 * Chooses a cell of a comparison by a click beside its number, or on its bar. Every view marks the cell, links to other
 * views lead to it, and the address contains it, as it does without a script.
 */
import { readJson } from "./json.ts";

interface Detail {
  title: string;
  headline: string;
  views?: Record<string, string>;
}

const PARAMETER = "cell";

export function chooseCells(document: Document): void {
  for (const nav of document.querySelectorAll<HTMLElement>("[data-views]")) {
    const table = document.getElementById(nav.dataset.views ?? "");
    if (table?.dataset.details) new Choice(nav, table, table.dataset.details).listen();
  }
}

class Choice {
  readonly #document: Document;
  readonly #nav: HTMLElement;
  readonly #table: HTMLElement;
  readonly #detailsId: string;
  #details: Record<string, Detail> | undefined;
  #key: string | undefined;

  constructor(nav: HTMLElement, table: HTMLElement, detailsId: string) {
    this.#document = nav.ownerDocument;
    [this.#nav, this.#table, this.#detailsId] = [nav, table, detailsId];
    this.#key = nav.dataset.key;
  }

  listen(): void {
    this.#table.addEventListener("click", ({ target }) => {
      if (!(target instanceof Element) || target.closest("a, aside")) return; // the number is a link to its result
      const id = target.closest("td[id]")?.id;
      if (id) this.#choose(id.slice(1));
    });
    this.#document.querySelector("form.bars")?.addEventListener("submit", (event) => {
      const { submitter } = event as SubmitEvent;
      if (!(submitter instanceof HTMLButtonElement)) return;
      event.preventDefault();
      this.#choose(submitter.value);
    });
    this.#nav.querySelector("[data-chosen-clear]")?.addEventListener("click", (event) => {
      event.preventDefault();
      this.#choose(undefined);
    });
  }

  /** Chooses the cell `G-R-C`; the same cell again, or undefined, clears the choice. */
  #choose(key: string | undefined): void {
    const details = (this.#details ??= readJson(this.#document, this.#detailsId) as Record<string, Detail>);
    if (key !== undefined && !details[`c${key}`]) return; // the cell was not measured
    this.#mark(false);
    this.#key = key === this.#key ? undefined : key;
    this.#mark(true);
    this.#say(details);
    const others = location.search.slice(1).split("&").filter((pair) => pair && !pair.startsWith(`${PARAMETER}=`));
    const search = [...others, ...(this.#key === undefined ? [] : [`${PARAMETER}=${this.#key}`])].join("&");
    history.replaceState(history.state, "", `${location.pathname}${search && `?${search}`}${location.hash}`);
    for (const field of this.#document.querySelectorAll<HTMLInputElement>("input[data-chosen-cell]")) field.value = this.#key ?? "";
  }

  #mark(on: boolean): void {
    if (this.#key === undefined) return;
    this.#document.getElementById(`c${this.#key}`)?.classList.toggle("chosen", on);
    const bar = this.#document.querySelector(`form.bars [value="${this.#key}"]`);
    if (on) bar?.setAttribute("aria-current", "true");
    else bar?.removeAttribute("aria-current");
  }

  #say(details: Record<string, Detail>): void {
    const chosen = this.#key === undefined ? undefined : details[`c${this.#key}`];
    this.#text("[data-chosen-title]", chosen?.title ?? "");
    this.#text("[data-chosen-headline]", chosen?.headline ?? "");
    this.#show("[data-chosen]", chosen !== undefined);
    this.#show("[data-chosen-none]", chosen === undefined);
    const views = (chosen ?? details[this.#nav.dataset.default ?? ""])?.views ?? {};
    for (const link of this.#nav.querySelectorAll<HTMLAnchorElement>("[data-view]")) {
      const href = views[link.dataset.view ?? ""];
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
