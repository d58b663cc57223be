/**
 * Makes copied tables fit a spreadsheet: numbers lose the spaces between groups of digits, and the standard deviation
 * and the verdict get separate columns.
 */
import { availableClipboard, copy } from "./copy.ts";

interface Row {
  head: boolean;
  cells: string[];
}

const COPIED_MS = 2000;
const NUMBER = /^[+−-]?[\d\u202f]+(\.\d+)?( ?%)?$/;
// Text that a spreadsheet would take for a formula (benchdb/exports/text/formulas.py).
const FORMULA = /^ *[=+\-@＝＋－＠]/;

export function copyTables(document: Document): void {
  document.addEventListener("copy", (event) => {
    const selection = document.getSelection();
    const table = selection && tableOf(selection);
    if (!table || !event.clipboardData) return;
    const range = selection.getRangeAt(0);
    const rows = readTable(table, (cell) => range.intersectsNode(cell));
    event.clipboardData.setData("text/plain", asText(rows));
    event.clipboardData.setData("text/html", asMarkup(document, rows));
    event.preventDefault();
  });
  for (const button of document.querySelectorAll<HTMLButtonElement>("button[data-copy-table]")) {
    button.addEventListener("click", () => {
      const table = document.getElementById(button.dataset.copyTable ?? "");
      if (table instanceof HTMLTableElement) void press(button, table);
    });
  }
}

async function press(button: HTMLButtonElement, table: HTMLTableElement): Promise<void> {
  const before = button.textContent;
  button.textContent = await copy(table, availableClipboard(), (clipboard) => write(clipboard, table));
  setTimeout(() => { button.textContent = before; }, COPIED_MS);
}

function write(clipboard: Clipboard, table: HTMLTableElement): Promise<void> {
  const rows = readTable(table, () => true);
  const blob = (type: string, text: string) => ({ [type]: new Blob([text], { type }) });
  const item = { ...blob("text/plain", asText(rows)), ...blob("text/html", asMarkup(table.ownerDocument, rows)) };
  return clipboard.write([new ClipboardItem(item)]);
}

/** The table that contains a selection of more than one cell. */
function tableOf(selection: Selection): HTMLTableElement | null {
  if (selection.rangeCount === 0 || selection.isCollapsed) return null;
  const inside = selection.getRangeAt(0).commonAncestorContainer;
  const element = inside instanceof Element ? inside : inside.parentElement;
  // Inside one cell the reader wants its text.
  return element?.closest("td, th") ? null : (element?.closest<HTMLTableElement>("table.data") ?? null);
}

/** The rows with a cell that is `wanted`, without columns that have none, so that the result is a rectangle. */
export function readTable(table: HTMLTableElement, wanted: (cell: Element) => boolean): Row[] {
  // The columns name the heads over them.
  const rows = [...table.rows].filter((row) => !row.matches(".heads-over") && [...row.cells].some(wanted));
  const width = Math.max(0, ...rows.map((row) => row.cells.length));
  const at = (row: HTMLTableRowElement, column: number) => {
    const cell = row.cells[column];
    return cell && wanted(cell) ? cell : undefined;
  };
  const read: Row[] = rows.map((row) => ({ head: [...row.cells].every(({ tagName }) => tagName === "TH"), cells: [] }));
  for (let column = 0; column < width; column++) {
    const cells = rows.map((row) => at(row, column));
    if (cells.every((cell) => cell === undefined)) continue;
    const spread = cells.some((cell) => cell?.querySelector(".sd, [data-sd]"));
    const judged = cells.some((cell) => cell?.querySelector(".verdict:not(.baseline)"));
    cells.forEach((cell, i) => read[i]?.cells.push(...fields(cell, read[i].head, spread, judged)));
  }
  return read;
}

/** The one to three spreadsheet cells of one cell. */
function fields(cell: Element | undefined, head: boolean, spread: boolean, judged: boolean): string[] {
  const more = (sd: string, verdict: string) => [...(spread ? [sd] : []), ...(judged ? [verdict] : [])];
  if (!cell) return ["", ...more("", "")];
  if (cell.matches("th.measured")) return [headText(cell), ...more(head ? "sd" : "", head ? "against the baseline" : "")];
  const mean = cell.querySelector(".mean");
  if (!mean) return [cell.tagName === "TH" ? headText(cell) : plain(text(cell)), ...more("", "")];
  const verdict = cell.querySelector<HTMLElement>(".verdict");
  const sd = verdict?.dataset.sd ?? text(cell.querySelector(".sd")).replace(/^≈? ?± /, "");
  return [plain(text(mean)), ...more(NUMBER.test(sd) ? plain(sd) : "", verdictText(verdict))];
}

/** "Write (MiB/s)": a label and its unit, without the arrow. */
function headText(cell: Element): string {
  const units = [...cell.querySelectorAll(".unit")].map((unit) => text(unit).replace(/ ?[↑↓]/, "")).filter(Boolean);
  const label = text(cell, ".unit");
  return defused(units.length > 0 ? `${label} (${units.join(", ")})` : label);
}

/** "+8.2 %" as a fraction that spreadsheets can calculate with, or the verdict's word. */
function verdictText(verdict: Element | null): string {
  if (!verdict || verdict.matches(".baseline")) return "";
  // A verdict without a change is only its sign.
  return verdict.getAttribute("aria-label") ?? plain(text(verdict, "[role=img]"));
}

/** A number in the syntax of programs; any other text unchanged. */
function plain(text: string): string {
  if (!NUMBER.test(text)) return defused(text);
  return text.replaceAll(/[\u202f +]/g, "").replace("−", "-");
}

function defused(text: string): string {
  return FORMULA.test(text) ? `'${text}` : text;
}

/** The visible text in one line, without elements that `besides` matches, open panels, and text for screen readers. */
function text(element: Element | null, besides = ".visually-hidden"): string {
  if (!element) return "";
  const copy = element.cloneNode(true) as Element;
  for (const left of copy.querySelectorAll(`${besides}, aside`)) left.remove();
  return copy.textContent.replaceAll(/[\s\u00a0]+/g, (space) => (space === "\u202f" ? space : " ")).trim();
}

function asText(rows: Row[]): string {
  return rows.map(({ cells }) => cells.join("\t")).join("\n");
}

function asMarkup(document: Document, rows: Row[]): string {
  const table = document.createElement("table");
  for (const { head, cells } of rows) {
    const row = table.insertRow();
    for (const content of cells) {
      const cell = document.createElement(head ? "th" : "td");
      cell.textContent = content;
      row.append(cell);
    }
  }
  return table.outerHTML;
}
