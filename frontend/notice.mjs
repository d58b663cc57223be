/**
 * The part of the file NOTICE about the scripts and styles that browsers load: `node notice.mjs` prints it.
 *
 * These are the packages with at least one byte in a bundle of esbuild, Bootstrap, whose styles Sass compiles, and the
 * font. The licence texts come from the packages themselves.
 */
import { readdir, readFile } from "node:fs/promises";
import * as esbuild from "esbuild";
import { scripts } from "./scripts.mjs";

const STYLES = ["node_modules/bootstrap", "node_modules/@fontsource-variable/inter"];
const PACKAGE = /^.*node_modules\/(?:@[^/]+\/)?[^/]+/;

/** Folders of the packages in the bundles. */
async function folders() {
  const { metafile } = await esbuild.build({ ...scripts, outdir: "unused", write: false, metafile: true });
  const inputs = Object.values(metafile.outputs).flatMap((output) => Object.entries(output.inputs));
  const bundled = inputs.filter(([, { bytesInOutput }]) => bytesInOutput > 0).map(([path]) => path.match(PACKAGE)?.[0]);
  return [...new Set([...STYLES, ...bundled.filter((folder) => folder !== undefined)])];
}

/** Name, version, licence and licence text of the package in this folder. */
async function described(folder) {
  const url = new URL(`${folder}/`, import.meta.url);
  const { name, version, license } = JSON.parse(await readFile(new URL("package.json", url), "utf8"));
  const file = (await readdir(url)).find((entry) => /^licen[cs]e(\.|$)/i.test(entry));
  const text = file === undefined ? "The package contains no licence text." : await readFile(new URL(file, url), "utf8");
  return { title: `${name} ${version} (${license})`, text: text.replace(/\r\n/g, "\n").trim() };
}

const packages = await Promise.all((await folders()).map(described));
for (const { title, text } of packages.sort((one, other) => (one.title < other.title ? -1 : 1))) {
  console.log(`\n${title}\n${"-".repeat(title.length)}\n\n${text}`);
}
