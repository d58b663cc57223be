/** A page in jsdom. */
import { JSDOM } from "jsdom";

/** The document of a page with this body; its window's constructors become global, as they are in a browser. */
export function page(body: string): Document {
  const { window } = new JSDOM(`<!doctype html><html><body>${body}</body></html>`, {
    url: "http://localhost/runs/",
    pretendToBeVisual: true,
  });
  Object.assign(globalThis, {
    window,
    document: window.document,
    localStorage: window.localStorage,
    Element: window.Element,
    Node: window.Node,
    HTMLInputElement: window.HTMLInputElement,
    HTMLSelectElement: window.HTMLSelectElement,
    getComputedStyle: window.getComputedStyle.bind(window),
  });
  return window.document;
}

/** The one element that matches; throws where none does. */
export function one(document: ParentNode, selector: string): HTMLElement {
  const element = document.querySelector<HTMLElement>(selector);
  if (!element) throw new Error(`No ${selector} on the page`);
  return element;
}

/** An event of the window of `document`, with properties that jsdom's constructor does not take. */
export function fire(target: Element, type: string, properties: object = {}): Event {
  const view = target.ownerDocument.defaultView;
  if (!view) throw new Error("The document has no window");
  const event = Object.assign(new view.Event(type, { bubbles: true, cancelable: true }), properties);
  target.dispatchEvent(event);
  return event;
}
