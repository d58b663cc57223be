/**
 * Copies the text of the element named by button[data-copy], and confirms it on the button.
 *
 * Browsers offer the clipboard only on https and localhost. Elsewhere the text is selected for the reader to copy.
 */
export function enableCopyButtons(root: ParentNode, clipboard: Clipboard | undefined = availableClipboard()): void {
  for (const button of root.querySelectorAll<HTMLButtonElement>("button[data-copy]")) {
    const source = button.ownerDocument.getElementById(button.dataset.copy ?? "");
    if (!source) continue;
    button.addEventListener("click", () => {
      void copy(source, clipboard, (target) => target.writeText(source.textContent.trim())).then((label) => {
        button.textContent = label;
      });
    });
  }
}

/** Writes to the clipboard, or selects `source`. Returns the new label of the button. */
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

/** `navigator.clipboard`, which may be undefined in spite of its DOM type. */
export function availableClipboard(): Clipboard | undefined {
  return (navigator as Partial<Navigator>).clipboard;
}
