/**
 * The heat maps, in which readers point at cells and choose them: the server's tables (web/partials/heat.html), or its
 * drawings for fine surfaces (web/partials/heat_areas.html).
 */
import type { Place } from "./grid.ts";

const lines = (map: HTMLElement) => [...map.querySelectorAll<HTMLTableRowElement>("tbody tr")].reverse(); // files grow upwards
const cells = (line: Element) => [...line.querySelectorAll("td")];
const drawing = (map: HTMLElement) => map.querySelector<SVGSVGElement>("svg.cells");

/** The cell under a pointer event; undefined outside the cells. */
export function placeOf(map: HTMLElement, { target, clientX, clientY }: MouseEvent): Place | undefined {
  const drawn = drawing(map);
  if (drawn) return drawn.contains(target as Node | null) ? placeIn(drawn, clientX, clientY) : undefined;
  const cell = (target as Element | null)?.closest("td");
  if (!cell || !map.contains(cell)) return undefined;
  const row = lines(map).findIndex((line) => line.contains(cell));
  return { row, column: cells(cell.parentElement ?? map).indexOf(cell) };
}

function placeIn(drawn: SVGSVGElement, x: number, y: number): Place {
  const [columns, rows] = size(drawn);
  const { left, top, width, height } = drawn.getBoundingClientRect();
  const at = (share: number, of: number) => Math.min(of - 1, Math.max(0, Math.floor(share * of)));
  return { column: at((x - left) / width, columns), row: rows - 1 - at((y - top) / height, rows) };
}

/** The numbers of columns and rows. */
function size(drawn: SVGSVGElement): [number, number] {
  const [, , columns = 1, rows = 1] = (drawn.getAttribute("viewBox") ?? "").split(" ").map(Number);
  return [columns, rows];
}

/** Draws frames around the chosen cell and the column of the slice. */
export function frame(map: HTMLElement, { row, column }: Place): void {
  const drawn = drawing(map);
  if (drawn) {
    const [, rows] = size(drawn);
    frameIn(drawn, "in-slice", { x: column, y: 0, width: 1, height: rows });
    frameIn(drawn, "chosen", { x: column, y: rows - 1 - row, width: 1, height: 1 });
    return;
  }
  for (const cell of map.querySelectorAll(".in-slice, .chosen")) cell.classList.remove("in-slice", "chosen");
  lines(map).forEach((line, i) => {
    const cell = cells(line)[column];
    cell?.classList.add("in-slice");
    cell?.classList.toggle("chosen", i === row);
  });
}

function frameIn(drawn: SVGSVGElement, name: string, sides: Record<string, number>): void {
  const there = drawn.querySelector(`.${name}`);
  const rect = there ?? drawn.appendChild(drawn.ownerDocument.createElementNS(drawn.namespaceURI, "rect"));
  rect.setAttribute("class", name);
  for (const [side, length] of Object.entries(sides)) rect.setAttribute(side, String(length));
}

/** Keys that move the choice on a heat map. */
export const STEPS: Record<string, Place> = {
  ...{ ArrowLeft: { row: 0, column: -1 }, ArrowRight: { row: 0, column: 1 } },
  ...{ ArrowUp: { row: 1, column: 0 }, ArrowDown: { row: -1, column: 0 } },
};
