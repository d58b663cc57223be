/**
 * Lets the reader drag over a chart inside a round to choose a span of time: the ends become those of the form
 * [data-brush], whose value is the length of the round in seconds, and the form is submitted.
 */
const LEAST = 4; // pixels of a drag that is no click
const SVG = "http://www.w3.org/2000/svg";

export function brushTime(document: Document): void {
  const form = document.querySelector<HTMLFormElement>("form[data-brush]");
  if (!form) return;
  for (const plot of document.querySelectorAll<SVGSVGElement>(".inside .plot")) {
    plot.addEventListener("pointerdown", (event) => {
      if (event.button === 0) drag(form, plot, event);
    });
  }
}

function drag(form: HTMLFormElement, plot: SVGSVGElement, begun: PointerEvent): void {
  const box = plot.getBoundingClientRect();
  const { width, height } = plot.viewBox.baseVal;
  const area = plot.ownerDocument.createElementNS(SVG, "path");
  area.setAttribute("class", "span");
  plot.prepend(area);
  plot.setPointerCapture(begun.pointerId);
  const ended = new AbortController();

  const shares = (event: PointerEvent): [number, number] => {
    const [first, second] = [begun, event].map(({ clientX }) => Math.min(1, Math.max(0, (clientX - box.left) / box.width)));
    return [Math.min(first ?? 0, second ?? 0), Math.max(first ?? 0, second ?? 0)];
  };
  const end = (): void => {
    ended.abort();
    area.remove();
  };
  const move = (event: PointerEvent): void => {
    const [left, right] = shares(event).map((share) => share * width);
    area.setAttribute("d", `M${String(left)} 0H${String(right)}V${String(height)}H${String(left)}Z`);
  };
  const choose = (event: PointerEvent): void => {
    end();
    if (Math.abs(event.clientX - begun.clientX) < LEAST) return;
    const [from, to] = shares(event).map((share) => (share * Number(form.dataset.brush)).toFixed(2));
    for (const [name, value] of [["from", from], ["to", to]] as const) {
      const field = form.elements.namedItem(name);
      if (field instanceof HTMLInputElement) field.value = value ?? "";
    }
    form.requestSubmit();
  };
  const { signal } = ended;
  plot.addEventListener("pointermove", move, { signal });
  plot.addEventListener("pointerup", choose, { signal });
  plot.addEventListener("pointercancel", end, { signal });
}
