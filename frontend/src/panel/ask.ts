/** Opens the panel of a number on hover, keyboard focus or tap; a click with the mouse follows the number's link. */
import type { Detail } from "./detail.ts";
import { Details } from "./details.ts";
import { place } from "./place.ts";
import { renderPanel } from "./render.ts";

const OPEN_AFTER_MS = 150; // a pointer that crosses the table opens nothing
const CLOSE_AFTER_MS = 250; // time to reach the panel
const SAY_AFTER_MS = 2000; // until the panel says that the server is still busy

export function answerWhenAsked(document: Document): void {
  new Asking(document).listen();
}

class Asking {
  readonly #document: Document;
  #wanted: HTMLElement | undefined;
  #open: { anchor: HTMLElement; panel: HTMLElement } | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #touch = false;

  constructor(document: Document) {
    this.#document = document;
  }

  listen(): void {
    const on = this.#document.addEventListener.bind(this.#document);
    on("pointerover", (event) => {
      if (event.pointerType !== "touch") this.#hover(event.target);
    });
    on("pointerdown", (event) => {
      this.#touch = event.pointerType === "touch";
      if (!this.#belongs(event.target)) this.#close();
    });
    on("click", (event) => {
      this.#tap(event);
    });
    on("focusin", (event) => {
      this.#focus(event.target);
    });
    on("keydown", (event) => {
      if (event.key === "Escape") this.#dismiss();
    });
    on("scroll", () => { this.#place(); }, { capture: true, passive: true });
  }

  #hover(target: EventTarget | null): void {
    clearTimeout(this.#timer);
    if (this.#belongs(target)) return;
    const anchor = anchorOf(target);
    if (anchor) {
      this.#timer = setTimeout(() => { this.#show(anchor); }, OPEN_AFTER_MS);
    } else if (this.#open && !this.#open.panel.parentElement?.contains(this.#document.activeElement)) {
      this.#timer = setTimeout(() => { this.#close(); }, CLOSE_AFTER_MS);
    }
  }

  #tap(event: MouseEvent): void {
    const anchor = anchorOf(event.target);
    if (!anchor || !this.#touch || this.#open?.anchor === anchor) return;
    event.preventDefault();
    this.#show(anchor);
  }

  #focus(target: EventTarget | null): void {
    if (this.#belongs(target)) return;
    const anchor = anchorOf(target);
    // A press of mouse or finger also sets the focus; both have their own handlers.
    if (anchor?.matches(":focus-visible")) this.#show(anchor);
    else if (!anchor) this.#close();
  }

  #dismiss(): void {
    if (this.#open?.panel.contains(this.#document.activeElement)) this.#open.anchor.focus();
    this.#close();
  }

  #show(anchor: HTMLElement): void {
    if (this.#open?.anchor === anchor || this.#wanted === anchor) return;
    this.#close();
    const details = Details.around(anchor);
    const key = keyOf(anchor);
    const detail = details?.now(key);
    if (detail) this.#render(anchor, detail);
    else if (details) void this.#load(anchor, details, key);
  }

  /** Requests the panel of a number, and shows it unless another one is wanted meanwhile. */
  async #load(anchor: HTMLElement, details: Details, key: string): Promise<void> {
    this.#wanted = anchor;
    anchor.setAttribute("aria-busy", "true");
    const busy = setTimeout(() => { this.#render(anchor, notice("Loading …", "The server has not answered yet.")); }, SAY_AFTER_MS);
    let detail: Detail | undefined;
    try {
      detail = await details.load(key);
    } catch (error) {
      detail = notice("Not loaded", `The details of this number could not be loaded: ${(error as Error).message}.`);
    }
    clearTimeout(busy);
    anchor.removeAttribute("aria-busy");
    if (this.#wanted !== anchor) return;
    this.#close();
    if (detail) this.#render(anchor, detail);
  }

  #render(anchor: HTMLElement, detail: Detail): void {
    const panel = renderPanel(this.#document, detail);
    // Next to its number in the document, so that Tab moves into the panel; a point's panel is next to its picture.
    (anchor.closest("svg") ?? anchor).after(panel);
    anchor.setAttribute("aria-expanded", "true");
    this.#open = { anchor, panel };
    this.#place();
  }

  #close(): void {
    clearTimeout(this.#timer);
    this.#wanted = undefined;
    this.#open?.anchor.setAttribute("aria-expanded", "false");
    this.#open?.panel.remove();
    this.#open = undefined;
  }

  #place(): void {
    if (!this.#open) return;
    const { anchor, panel } = this.#open;
    const root = this.#document.documentElement;
    const viewport = { width: root.clientWidth, height: root.clientHeight };
    const { left, top } = place(anchor.getBoundingClientRect(), panel.getBoundingClientRect(), viewport);
    panel.style.left = `${left}px`;
    panel.style.top = `${top}px`;
  }

  /** Whether an event's target is in the open panel or its number. */
  #belongs(target: EventTarget | null): boolean {
    if (!this.#open || !(target instanceof Node)) return false;
    return this.#open.panel.contains(target) || this.#open.anchor.contains(target);
  }
}

/** A panel with a sentence instead of figures. */
function notice(title: string, text: string): Detail {
  return { title, headline: text, facts: [], values: [], labels: [], each: "", mean: null, interval: null, command: null, links: [] };
}

/** The key of a number's panel: its `data-cell`, or without a value the id of its cell. */
function keyOf(anchor: HTMLElement): string {
  const { cell = "" } = anchor.dataset;
  return cell === "" ? (anchor.closest("td[id]")?.id ?? "") : cell;
}

function anchorOf(target: EventTarget | null): HTMLElement | null {
  return target instanceof Element ? target.closest<HTMLElement>("[data-cell]") : null;
}
