/** Sends a form with files and shows the progress; the response replaces the page as after a normal submit. */
import { sizeText } from "../sizes.ts";

const WORTH_TELLING = 1024 * 1024; // bytes; the browser itself submits smaller forms, which take no time

export function sendWithProgress(form: HTMLFormElement, go: (address: string) => void): void {
  form.addEventListener("submit", (event) => {
    const data = new FormData(form);
    const size = sizeOf(data);
    if (size < WORTH_TELLING) return;
    event.preventDefault();
    const button = form.querySelector<HTMLButtonElement>("button[type=submit]");
    if (button) button.disabled = true;
    send(form, data, size, (answer) => {
      if (button) button.disabled = false;
      if (!answer) tell(form, 0, "It could not be sent: the connection broke. Nothing is lost; send it again.");
      else if (answer.status < 400) go(answer.responseURL);
      else showFault(form, answer.responseText);
    });
  });
}

function sizeOf(data: FormData): number {
  let size = 0;
  for (const value of data.values()) size += typeof value === "string" ? value.length : value.size;
  return size;
}

function send(form: HTMLFormElement, data: FormData, size: number, end: (answer: XMLHttpRequest | null) => void): void {
  const request = new XMLHttpRequest(); // fetch reports no progress of an upload
  request.upload.addEventListener("progress", ({ loaded, total }) => {
    const percent = Math.floor((100 * loaded) / (total || size));
    tell(form, percent, percent < 100 ? `${sizeText(loaded)} of ${sizeText(total || size)} sent` : "sent; it is being unpacked");
  });
  request.addEventListener("load", () => {
    end(request);
  });
  request.addEventListener("error", () => {
    end(null);
  });
  tell(form, 0, `0 of ${sizeText(size)} sent`);
  request.open("POST", form.action);
  request.send(data);
}

function tell(form: HTMLFormElement, percent: number, words: string): void {
  const line = form.querySelector<HTMLElement>("[data-sending]");
  if (!line) return;
  line.hidden = false;
  const [bar, text] = [line.querySelector("progress"), line.querySelector("span")];
  if (bar) bar.value = percent;
  if (text) text.textContent = words;
}

/** Shows the error from the response; the form keeps its contents. */
function showFault(form: HTMLFormElement, html: string): void {
  const page = new DOMParser().parseFromString(html, "text/html");
  const message = page.querySelector("#import-faults li, .message p, main p")?.textContent.trim();
  tell(form, 0, message ?? "The server refused it.");
}
