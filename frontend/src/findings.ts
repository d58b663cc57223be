/** Marks the cells of a finding while the pointer is over it; its link jumps to the first of them. */
export function markCells(document: Document): void {
  for (const link of document.querySelectorAll<HTMLElement>("a[data-cells]")) {
    const cells = (link.dataset.cells ?? "").split(" ").flatMap((id) => document.getElementById(id) ?? []);
    const mark = (on: boolean) => () => {
      for (const cell of cells) cell.classList.toggle("pointed", on);
    };
    for (const event of ["pointerenter", "focus"]) link.addEventListener(event, mark(true));
    for (const event of ["pointerleave", "blur"]) link.addEventListener(event, mark(false));
  }
}
