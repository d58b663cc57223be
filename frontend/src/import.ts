/** The pages of imports: dropped and pasted files, progress of a large upload, progress of the worker. */
import { followProgress } from "./import/progress.ts";
import { takeWhatIsGiven } from "./import/give.ts";
import { sendWithProgress } from "./import/send.ts";

const form = document.querySelector<HTMLFormElement>("form[data-give]");
if (form) {
  takeWhatIsGiven(form);
  sendWithProgress(form, (address) => {
    location.assign(address);
  });
}
const line = document.querySelector<HTMLElement>("[data-progress]");
if (line) {
  void followProgress(line).then(() => {
    location.reload();
  });
}
