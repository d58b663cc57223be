/**
 * Copies the text of the element that button[data-copy] names, and says so on the button.
 *
 * Browsers give the clipboard to https and localhost only. Elsewhere the text is selected for the reader to copy.
 */
export function enableCopyButtons(root: ParentNode, clipboard: Clipboard | undefined = availableClipboard()): void {
  for (const button of root.querySelectorAll<HTMLButtonElement>("button[data-copy]")) {
    const source = button.ownerDocument.getElementById(button.dataset.copy ?? "");
    if (!source) continue;
    button.addEventListener("click", () => {
      void copy(source, clipboard, (there) => there.writeText(source.textContent.trim())).then((said) => {
        button.textContent = said;
      });
    });
  }
}

/** Writes to the clipboard, or selects `source`. What the button says afterwards. */
export async function copy(
  source: HTMLElement,
  clipboard: Clipboard | undefined,
  write: (clipboard: Clipboard) => Promise<void>,
): Promise<string> {
  if (clipboard) {
    try {
      await write(clipboard);
      return "Copied";
    } catch (error) {
      if (!(error instanceof DOMException)) throw error; // a DOMException: the reader's settings forbid it
    }
  }
  source.ownerDocument.getSelection()?.selectAllChildren(source);
  return "Selected; press Ctrl+C";
}

/** `navigator.clipboard`, which the DOM types believe to be there always. */
export function availableClipboard(): Clipboard | undefined {
  return (navigator as Partial<Navigator>).clipboard;
}
