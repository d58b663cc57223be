/** Contrasts on every background in both themes, as WCAG 2.2 AA demands: 4.5 for text, 3 for the marks of charts. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { compile } from "sass";

const frontend = new URL("..", import.meta.url).pathname;
const { css } = compile(`${frontend}styles/app.scss`, {
  loadPaths: [`${frontend}node_modules`],
  quietDeps: true,
  silenceDeprecations: ["import"],
});

const TEXT = ["--bs-body-color", "--bs-secondary-color", "--bs-link-color", "--better", "--worse", "--caution"];
const MARKS = [1, 2, 3, 4, 5, 6].map((series) => `--series-${String(series)}`); // the seventh is the ink
const BACKGROUNDS = ["--bs-body-bg", "--bs-tertiary-bg"];

/** The custom properties of the :root rules, those inside the dark media query on top where `dark`. */
function properties(dark: boolean): Map<string, string> {
  const found = new Map<string, string>();
  const [light = "", ...darkParts] = css.split("@media (prefers-color-scheme: dark)");
  const rules = (part: string) => [...part.matchAll(/:root[^{]*\{([^}]*)\}/g)].map(([, body]) => body ?? "");
  const lightRules = [...rules(light), ...darkParts.flatMap((part) => rules(afterBlock(part)))];
  const darkRules = dark ? darkParts.flatMap((part) => rules(part.slice(0, -afterBlock(part).length || undefined))) : [];
  for (const body of [...lightRules, ...darkRules]) {
    for (const [, name, value] of body.matchAll(/(--[\w-]+):\s*([^;]+);/g)) found.set(name ?? "", (value ?? "").trim());
  }
  return found;
}

/** What follows the block that `text` begins with. */
function afterBlock(text: string): string {
  let depth = 0;
  for (let i = text.indexOf("{"); i < text.length; i += 1) {
    if (text[i] === "{") depth += 1;
    if (text[i] === "}" && --depth === 0) return text.slice(i + 1);
  }
  return "";
}

function luminance(hex: string): number {
  const digits = hex.length === 4 ? hex.slice(1).replaceAll(/./g, "$&$&") : hex.slice(1);
  const [r = 0, g = 0, b = 0] = [0, 2, 4].map((at) => {
    const share = parseInt(digits.slice(at, at + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

for (const dark of [false, true]) {
  const found = properties(dark);
  for (const [colour, least] of [...TEXT.map((text) => [text, 4.5] as const), ...MARKS.map((mark) => [mark, 3] as const)]) {
    for (const background of BACKGROUNDS) {
      test(`${colour} on ${background}, ${dark ? "dark" : "light"}`, () => {
        const [ink = "", paper = ""] = [found.get(colour), found.get(background)];
        assert.match(ink, /^#[0-9a-f]{3,6}$/i);
        assert.match(paper, /^#[0-9a-f]{3,6}$/i);
        const ratio = contrast(ink, paper);
        assert.ok(ratio >= least, `${ink} on ${paper} is ${ratio.toFixed(2)}`);
      });
    }
  }
}

for (const dark of [false, true]) {
  test(`the text and warnings of shaded cells, ${dark ? "dark" : "light"}`, () => {
    const found = properties(dark);
    const shades = ["better", "worse"].flatMap((kind) => [1, 2, 3, 4].map((size) => [`--on-${kind}`, `--${kind}-${String(size)}`]));
    for (const [text = "", shade = ""] of [...shades, ["--caution", "--doubt"]]) {
      const ratio = contrast(found.get(text) ?? "", found.get(shade) ?? "");
      assert.ok(ratio >= 4.5, `${text} on ${shade} is ${ratio.toFixed(2)}`);
    }
  });
}

for (const dark of [false, true]) {
  test(`no two series have one colour, ${dark ? "dark" : "light"}`, () => {
    const found = properties(dark);
    assert.equal(new Set(MARKS.map((mark) => found.get(mark))).size, MARKS.length);
  });
}

test("the dark theme is not the light one", () => {
  assert.notEqual(properties(false).get("--bs-body-bg"), properties(true).get("--bs-body-bg"));
});
