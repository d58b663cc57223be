/** Shows the worker's progress with an import without a reload. */
import { ask, inBrowser, type Waiting } from "../poll.ts";

interface Progress {
  state: string;
  percent: number | null;
  text: string;
}

/** Polls the line's `data-progress`, shows each response, and resolves when the state is no longer `data-state`. */
export async function followProgress(line: HTMLElement, waiting: Waiting = inBrowser): Promise<void> {
  const { progress, state } = line.dataset;
  if (!progress) throw new Error("A line of progress needs data-progress");
  for (let seconds = 0.5; ; seconds = Math.min(seconds * 1.3, 5)) {
    await waiting.pause(seconds);
    const now = (await ask(progress, waiting)) as Progress | undefined;
    if (!now) continue;
    if (now.state !== state) return;
    show(line, now);
  }
}

function show(line: HTMLElement, { percent, text }: Progress): void {
  const [bar, label] = [line.querySelector("progress"), line.querySelector("span")];
  if (percent === null) bar?.removeAttribute("value");
  else if (bar) bar.value = percent;
  if (label && label.textContent !== text) label.textContent = text; // a screen reader reads only changes
}
