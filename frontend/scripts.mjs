/** The options for bundling the scripts; `build.mjs` writes the bundles, `notice.mjs` lists the packages in them. */
import { quickerPlotly } from "./quicker.mjs";

export const scripts = {
  entryPoints: ["src/app.ts", "src/surface.ts", "src/import.ts", "src/plotly.ts"],
  absWorkingDir: import.meta.dirname,
  bundle: true,
  minify: true,
  format: "iife",
  target: "es2022",
  charset: "utf8",
  legalComments: "inline",
  define: { global: "window" }, // Plotly's dependencies expect it
  loader: { ".css": "empty" }, // style sheets that Plotly's unused map traces bring along
  logLevel: "warning",
  plugins: [quickerPlotly()],
};
