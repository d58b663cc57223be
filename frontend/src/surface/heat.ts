/** The heat maps: tables of the server's (web/partials/heat.html), in which a place is pointed at and chosen. */
import type { Place } from "./grid.ts";

const lines = (map: HTMLElement) => [...map.querySelectorAll<HTMLTableRowElement>("tbody tr")].reverse(); // files grow upwards
const cells = (line: Element) => [...line.querySelectorAll("td")];

/** The place of the cell that an event happened in; undefined beside the cells. */
export function placeOf(map: HTMLElement, target: EventTarget | null): Place | undefined {
  const cell = (target as Element | null)?.closest("td");
  if (!cell || !map.contains(cell)) return undefined;
  const row = lines(map).findIndex((line) => line.contains(cell));
  return { row, column: cells(cell.parentElement ?? map).indexOf(cell) };
}

/** Frames the chosen cell, and the column that the slice shows. */
export function frame(map: HTMLElement, { row, column }: Place): void {
  for (const cell of map.querySelectorAll(".in-slice, .chosen")) cell.classList.remove("in-slice", "chosen");
  lines(map).forEach((line, i) => {
    const cell = cells(line)[column];
    cell?.classList.add("in-slice");
    cell?.classList.toggle("chosen", i === row);
  });
}

/** Keys that choose a place on a heat map. */
export const STEPS: Record<string, Place> = {
  ...{ ArrowLeft: { row: 0, column: -1 }, ArrowRight: { row: 0, column: 1 } },
  ...{ ArrowUp: { row: 1, column: 0 }, ArrowDown: { row: -1, column: 0 } },
};
