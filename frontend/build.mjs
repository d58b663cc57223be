/**
 * Builds frontend/dist, the folder Django's static files come from: `node build.mjs`.
 *
 * Names are plain (`app.js`); Django's manifest storage adds the content hash when it collects them. Nothing here is
 * inline and no source map is shipped, so a page needs no more than `script-src 'self'`.
 */
import { cp, mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { gzipSync } from "node:zlib";
import * as esbuild from "esbuild";
import * as sass from "sass";
import { scripts } from "./scripts.mjs";

const dist = new URL("dist/", import.meta.url);
/** A folder beside `dist` for the build, whose files then replace those of `dist`: servers read from it meanwhile. */
const made = new URL(`${await mkdtemp(new URL(".dist-", import.meta.url).pathname)}/`, import.meta.url);

/** The limits for the files that a page loads, in bytes after gzip: each budget with its files. */
const budgets = [
  { name: "a page without a chart", limit: 300_000, files: ["app.js", "app.css"] },
  { name: "a page with a chart", limit: 900_000, files: ["app.js", "app.css", "plotly.js", "charts.css", "surface.js"] },
];

async function buildScripts() {
  await esbuild.build({ ...scripts, outdir: made.pathname });
}

async function buildStyles() {
  for (const name of ["app", "charts", "embed", "admin"]) {
    const { css } = sass.compile(new URL(`styles/${name}.scss`, import.meta.url).pathname, {
      style: "compressed",
      loadPaths: [new URL("node_modules", import.meta.url).pathname],
      quietDeps: true, // Bootstrap 5.3 still uses @import, and its configuration needs it too
      silenceDeprecations: ["import"],
    });
    await writeFile(new URL(`${name}.css`, made), css);
  }
}

/** Prints the gzipped size of each file of a budget; throws an error if the sum exceeds the limit. */
async function checkBudget({ name, limit, files }) {
  const sizes = await Promise.all(files.map(async (file) => gzipSync(await readFile(new URL(file, made))).length));
  const total = sizes.reduce((sum, size) => sum + size, 0);
  const parts = files.map((file, i) => `${file} ${kilobytes(sizes[i])}`).join(", ");
  console.log(`${name}: ${kilobytes(total)} of ${kilobytes(limit)} compressed (${parts})`);
  if (total > limit) throw new Error(`${name} is over its budget`);
}

function kilobytes(bytes) {
  return `${(bytes / 1000).toFixed(1)} kB`;
}

/** Replaces each file by its new version in one step, and removes files that are no longer built. */
async function publish() {
  await mkdir(dist, { recursive: true });
  const names = await readdir(made);
  for (const name of names) await rename(new URL(name, made), new URL(name, dist));
  const gone = (await readdir(dist)).filter((name) => !names.includes(name));
  for (const name of gone) await rm(new URL(name, dist), { recursive: true });
}

try {
  await cp(new URL("static/", import.meta.url), made, { recursive: true });
  const font = "node_modules/@fontsource-variable/inter/files/inter-latin-wght-normal.woff2";
  await cp(new URL(font, import.meta.url), new URL("inter.woff2", made));
  await Promise.all([buildScripts(), buildStyles()]);
  for (const budget of budgets) await checkBudget(budget);
  await publish();
} finally {
  await rm(made, { recursive: true, force: true });
}
