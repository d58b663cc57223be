/** The panel as markup. */
import type { Detail } from "./detail.ts";
import { drawStrip, strip } from "./strip.ts";

export function renderPanel(document: Document, detail: Detail): HTMLElement {
  const panel = document.createElement("aside");
  panel.className = "panel";
  panel.setAttribute("aria-label", detail.title);
  panel.append(element(document, "h3", detail.title), withClass(element(document, "p", detail.headline), "headline"));
  const plot = strip(detail.values, detail.mean, detail.interval);
  if (plot && detail.values.length > 1) panel.append(drawStrip(document, plot, detail));
  panel.append(facts(document, detail));
  if (detail.links.length > 0) panel.append(links(document, detail));
  return panel;
}

function facts(document: Document, detail: Detail): HTMLElement {
  const list = withClass(document.createElement("dl"), "facts");
  for (const [term, text] of detail.facts) list.append(element(document, "dt", term), element(document, "dd", text));
  if (detail.command !== null) {
    const command = document.createElement("dd");
    command.append(element(document, "code", detail.command));
    list.append(element(document, "dt", "command"), command);
  }
  return list;
}

function links(document: Document, detail: Detail): HTMLElement {
  const paragraph = withClass(document.createElement("p"), "links");
  for (const { text, href } of detail.links) {
    const link = document.createElement("a");
    link.href = href;
    link.textContent = text;
    paragraph.append(link);
  }
  return paragraph;
}

function element(document: Document, name: "h3" | "p" | "dt" | "dd" | "code", text: string): HTMLElement {
  const made = document.createElement(name);
  made.textContent = text;
  return made;
}

function withClass(made: HTMLElement, name: string): HTMLElement {
  made.className = name;
  return made;
}
