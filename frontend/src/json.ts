/** The data of a <script type="application/json" id="…">, as Django's json_script filter writes it. */
export function readJson(document: Document, id: string): unknown {
  const script = document.getElementById(id);
  if (!script) throw new Error(`The page has no data script #${id}`);
  return JSON.parse(script.textContent);
}
