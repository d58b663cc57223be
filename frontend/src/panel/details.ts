/** The panels of a table: in a script of the page, or row by row from the server. */
import { readJson } from "../json.ts";
import { inBrowser } from "../poll.ts";
import type { Detail } from "./detail.ts";

type Rows = Map<string, Promise<Record<string, Detail>>>;

/** The panels that were requested, by address, so that a table and its charts share them. */
const requested = new WeakMap<Document, Map<string, Details>>();

export class Details {
  readonly #address: string | undefined;
  readonly #known: Record<string, Detail>;
  readonly #rows: Rows = new Map();

  private constructor(known: Record<string, Detail>, address?: string) {
    [this.#known, this.#address] = [known, address];
  }

  /** The panels for the cells inside an element with `data-details`; undefined if the page has none. */
  static around(element: Element): Details | undefined {
    const id = element.closest<HTMLElement>("[data-details]")?.dataset.details;
    const source = id === undefined ? null : element.ownerDocument.getElementById(id);
    if (!id || !source) return undefined;
    const document = element.ownerDocument;
    const all = requested.get(document) ?? new Map<string, Details>();
    requested.set(document, all);
    let details = all.get(id);
    if (!details) {
      const address = source.dataset.address;
      details = address ? new Details({}, address) : new Details(readJson(document, id) as Record<string, Detail>);
      all.set(id, details);
    }
    return details;
  }

  /** The panel `cG-R-C` of a comparison or `rN` of a run, if it is here. */
  now(key: string): Detail | undefined {
    return this.#known[key];
  }

  /** The same, from the server if necessary; undefined if there is none. Rejects if the server does not answer. */
  async load(key: string): Promise<Detail | undefined> {
    const row = /^c(\d+-\d+)-\d+$|^r(\d+)$/.exec(key)?.slice(1).find(Boolean);
    if (!this.#known[key] && this.#address && row) {
      const answer = this.#rows.get(row) ?? request(this.#address, row);
      this.#rows.set(row, answer);
      try {
        Object.assign(this.#known, await answer);
      } catch (error) {
        this.#rows.delete(row); // the next attempt asks again
        throw error;
      }
    }
    return this.#known[key];
  }
}

async function request(address: string, row: string): Promise<Record<string, Detail>> {
  const answer = await fetch(`${address}${address.includes("?") ? "&" : "?"}row=${row}`);
  if (!answer.ok) throw new Error(`the server answered ${answer.status}`);
  if (answer.status === 202) {
    // a worker evaluates the table
    await inBrowser.pause(Number(answer.headers.get("Retry-After")));
    return request(address, row);
  }
  return (await answer.json()) as Record<string, Detail>;
}
