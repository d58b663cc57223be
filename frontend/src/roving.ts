/**
 * Makes each table of measured cells one stop of Tab: arrow keys move between its links and the buttons of its heads, Home
 * and End within the row. Without this script each of them is a stop.
 */

const STEPS: Partial<Record<string, [rows: number, columns: number]>> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
};

const STOP = ":is(td, th) :is(a[href], button):not(aside *)";

export function moveByArrows(document: Document): void {
  for (const table of document.querySelectorAll<HTMLTableElement>("table.data[data-details]")) {
    const stops = [...table.querySelectorAll<HTMLElement>(STOP)];
    const first = stops.find((each) => each.matches("a")) ?? stops[0]; // the first number is before the buttons of heads
    if (!first) continue;
    for (const other of stops) if (other !== first) other.tabIndex = -1;
    table.closest(".scroll")?.removeAttribute("tabindex"); // focused numbers scroll it
    let stop = first;
    table.addEventListener("focusin", ({ target }) => {
      const link = linkOf(target);
      if (!link || link === stop) return;
      stop.tabIndex = -1;
      link.tabIndex = 0;
      stop = link;
    });
    table.addEventListener("keydown", (event) => {
      const link = linkOf(event.target);
      const next = link && nextTo(table, link, event);
      if (!next) return;
      event.preventDefault();
      next.focus();
    });
  }
}

/** The link or button of a cell that is the target; undefined for what is in an open panel. */
function linkOf(target: EventTarget | null): HTMLElement | undefined {
  if (!(target instanceof Element) || target.closest("aside")) return undefined;
  return target.closest<HTMLElement>(STOP) ?? undefined;
}

/** The link at which a key arrives; cells without a link are passed over. */
function nextTo(table: HTMLTableElement, link: Element, { key, ctrlKey, altKey, metaKey }: KeyboardEvent): HTMLElement | undefined {
  const cell = link.closest<HTMLTableCellElement>("td, th");
  if (!cell || ctrlKey || altKey || metaKey) return undefined;
  const rows = [...table.rows];
  const row = rows.indexOf(cell.parentElement as HTMLTableRowElement);
  if (key === "Home" || key === "End") {
    const links = [...cell.parentElement?.querySelectorAll<HTMLElement>(STOP) ?? []];
    return key === "Home" ? links[0] : links.at(-1);
  }
  const step = STEPS[key];
  if (!step) return undefined;
  let [r, c] = [row, cell.cellIndex];
  for (;;) {
    [r, c] = [r + step[0], c + step[1]];
    const there = rows[r]?.cells[c];
    if (!there) return undefined;
    const found = there.querySelector<HTMLElement>("a[href], button");
    if (found) return found;
  }
}
