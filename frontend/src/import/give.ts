/**
 * Puts files and text that are dropped on the page, or pasted outside a field, into the form. Dropped files are sent at
 * once, unless they are too large.
 */
import { sizeText } from "../sizes.ts";

export function takeWhatIsGiven(form: HTMLFormElement): void {
  const document = form.ownerDocument;
  const files = form.querySelector<HTMLInputElement>("input[type=file]");
  const text = form.querySelector<HTMLTextAreaElement>("textarea");
  if (!files || !text) throw new Error("The form takes no files or no text");

  const take = (given: DataTransfer | null): boolean => {
    if (given?.files.length) {
      files.files = given.files;
      files.dispatchEvent(new Event("change", { bubbles: true }));
      return true;
    }
    const words = given?.getData("text/plain");
    if (!words) return false;
    text.value = words;
    text.focus();
    return true;
  };

  document.addEventListener("dragover", (event) => {
    event.preventDefault(); // without this a drop would open the file in place of the page
    form.classList.add("dragged");
  });
  for (const over of ["dragleave", "drop", "dragend"]) {
    document.addEventListener(over, () => {
      form.classList.remove("dragged");
    });
  }
  document.addEventListener("drop", (event) => {
    if (event.target === text && !event.dataTransfer?.files.length) return; // text dropped into the text field: the browser handles it
    event.preventDefault();
    if (take(event.dataTransfer) && event.dataTransfer?.files.length && !isTooMuch(form, files)) form.requestSubmit();
  });
  document.addEventListener("paste", (event) => {
    const inField = event.target instanceof Element && event.target.matches("textarea, input");
    if (inField && !event.clipboardData?.files.length) return;
    if (take(event.clipboardData)) event.preventDefault();
  });
  files.addEventListener("change", () => {
    showGiven(form, [...(files.files ?? [])]);
  });
}

/** Shows names and sizes of the chosen files, with an error before sending if they are too large. */
export function showGiven(form: HTMLFormElement, files: Pick<File, "name" | "size">[]): void {
  const line = form.querySelector("[data-given]");
  if (!line) return;
  const total = sizeOf(files);
  const most = Number(form.dataset.mostBytes);
  const count = files.length === 1 ? "1 file" : `${files.length} files`;
  line.textContent = files.length ? `${count}, ${sizeText(total)}: ${names(files)}` : "";
  if (total > most) line.append(` This is more than ${sizeText(most)}: pack them, or give fewer.`);
  line.classList.toggle("too-much", total > most);
}

function isTooMuch(form: HTMLFormElement, { files }: HTMLInputElement): boolean {
  return sizeOf([...(files ?? [])]) > Number(form.dataset.mostBytes);
}

function sizeOf(files: Pick<File, "size">[]): number {
  return files.reduce((sum, { size }) => sum + size, 0);
}

const NAMED = 8;

function names(files: Pick<File, "name">[]): string {
  const shown = files.slice(0, NAMED).map(({ name }) => name);
  return files.length > NAMED ? `${shown.join(", ")} and ${files.length - NAMED} more` : shown.join(", ");
}
