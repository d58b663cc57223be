/**
 * Writes plotly.js into a folder, once for each file name: with all changes of quicker.mjs, with none, and without the
 * one that the file is named after. `make bench-plotly` measures them: `node variants.mjs FOLDER`.
 */
import { argv } from "node:process";
import * as esbuild from "esbuild";
import { CHANGES, quickerPlotly } from "./quicker.mjs";
import { scripts } from "./scripts.mjs";

const all = Object.keys(CHANGES);
const variants = { all, none: [], ...Object.fromEntries(all.map((name) => [name, all.filter((other) => other !== name)])) };

for (const [name, kept] of Object.entries(variants)) {
  const outfile = `${argv[2]}/${name}.js`;
  await esbuild.build({ ...scripts, entryPoints: ["src/plotly.ts"], plugins: [quickerPlotly(kept)], outfile });
}
