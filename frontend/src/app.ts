/** Enhancements of every page, whose markup also works without scripts. */
import { submitOnChange } from "./autosubmit.ts";
import { chooseCells } from "./choose.ts";
import { enableCopyButtons } from "./copy.ts";
import { findAsTyped } from "./find.ts";
import { markCells } from "./findings.ts";
import { answerWhenAsked } from "./panel/ask.ts";
import { watchState } from "./poll.ts";
import { moveByArrows } from "./roving.ts";
import { copyTables } from "./spreadsheet.ts";
import { suggestAsTyped } from "./suggest.ts";
import { localizeTimes } from "./times.ts";
import { connectTray } from "./tray.ts";

document.documentElement.classList.add("js");
localizeTimes(document);
enableCopyButtons(document);
submitOnChange(document, window.sessionStorage);
answerWhenAsked(document);
chooseCells(document);
findAsTyped(document);
suggestAsTyped(document);
copyTables(document);
moveByArrows(document);
markCells(document);
connectTray(document, window.localStorage);
for (const element of document.querySelectorAll<HTMLElement>("[data-poll]")) {
  void watchState(element).then(() => {
    const form = element.querySelector("form"); // what this page waits for was sent by it
    if (form) form.requestSubmit();
    else location.reload();
  });
}
