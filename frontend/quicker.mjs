/**
 * Changes to Plotly's source during bundling, for slow parts of its start and its rotation that no option changes. Without
 * them, the start or a frame takes twice as long without a fast GPU (docs/frontend.md, "Surface").
 * The build fails if the source of Plotly differs.
 */
import { readFile } from "node:fs/promises";

/** The changes by name: text that the source has exactly once, and its replacement. */
const CHANGES = {
  // Plotly turns the camera upright in every frame for half a second, even if it is upright already.
  upright: [["view._active.lookAt(t0 + 500, curEye", "view._active.lookAt(t0, curEye"]],
  // It draws the whole scene again in every frame to find the object under the pointer, wherever the pointer is.
  pointer: [
    ["if(pickDirty) {\n      pickDirty = false", "if(pickDirty && scene._pointed) {\n      pickDirty = scene._pointed = false"],
    ["if(scene._mouseRotating) {\n          pickDirty = true\n        }", "if(pickDirty) dirty = scene._pointed = true"],
  ],
  // It mixes eight of the scale's colours for every pixel.
  mixture: [
    [
      "this.texture.minFilter = gl.LINEAR_MIPMAP_LINEAR\n    this.texture.magFilter = gl.LINEAR\n    this.texture.setPixels(genColormap(params.colormap, this.opacityscale))",
      "this.texture.minFilter = gl.NEAREST\n    this.texture.magFilter = gl.NEAREST\n    this.texture.setPixels(genColormap(params.colormap, this.opacityscale))",
    ],
  ],
};

/** The plugin of esbuild that makes the changes. */
export function quickerPlotly() {
  return {
    name: "quicker Plotly",
    setup(build) {
      build.onLoad({ filter: /stackgl_modules[\\/]index\.js$/ }, async ({ path }) => {
        const source = await readFile(path, "utf8");
        return { contents: Object.values(CHANGES).flat().reduce(changed, source), loader: "js" };
      });
    },
  };
}

/** The source with the text replaced; throws an error unless it has the text exactly once. */
export function changed(source, [before, after]) {
  if (source.split(before).length !== 2) throw new Error(`Plotly's source does not have exactly once: ${before}`);
  return source.replace(before, () => after);
}
