/**
 * Changes to Plotly's source during bundling, for slow parts of its start and its rotation that no option changes. The
 * build fails if the source of Plotly differs. Without a fast GPU, each of these parts costs tens or hundreds of
 * milliseconds (docs/frontend.md, "Surface").
 */
import { readFile } from "node:fs/promises";

const STACK_GL = /stackgl_modules[\\/]index\.js$/;

/** The shader of a mesh's corners: the position, and the angle to the light. */
const MESH_CORNER = `
precision highp float;
attribute vec3 position, normal;
attribute vec4 color;
attribute vec2 uv;
uniform mat4 model, view, projection, inverseModel;
uniform vec3 lightPosition;
varying vec3 place, tint;
varying vec2 shade;
varying float facing;

void main() {
  vec4 seen = view * vec4(position, 1.0);
  gl_Position = projection * (view * (model * vec4(position, 1.0)));
  facing = dot(normalize((vec4(normal, 0.0) * inverseModel).xyz), normalize(lightPosition - seen.xyz / seen.w));
  place = position;
  tint = color.rgb;
  shade = uv;
}`;

/** The shader of a mesh's pixels: the colour on the scale under the light, nothing outside the axes' ends. */
const MESH_PIXEL = `
precision highp float;
uniform vec3 clipBounds[2];
uniform float kambient, kdiffuse;
uniform sampler2D texture;
varying vec3 place, tint;
varying vec2 shade;
varying float facing;

void main() {
  if (any(lessThan(place, clipBounds[0])) || any(greaterThan(place, clipBounds[1]))) discard;
  float light = min(kambient + kdiffuse * max(gl_FrontFacing ? -facing : facing, 0.0), 1.0);
  gl_FragColor = vec4(light * tint * texture2D(texture, shade).rgb, 1.0);
}`;

const CHANGES = [
  // Plotly turns the camera upright in every frame for half a second, even if it is upright already.
  [STACK_GL, "view._active.lookAt(t0 + 500, curEye", "view._active.lookAt(t0, curEye"],
  // It draws the whole scene again in every frame to find the object under the pointer, wherever the pointer is.
  [STACK_GL, "if(pickDirty) {\n      pickDirty = false", "if(pickDirty && scene._pointed) {\n      pickDirty = scene._pointed = false"],
  [STACK_GL, "if(scene._mouseRotating) {\n          pickDirty = true\n        }", "if(pickDirty) dirty = scene._pointed = true"],
  // It computes reflections for every pixel of a mesh, even for pixels hidden behind others.
  [
    STACK_GL,
    "  vertex:   triVertSrc,\n  fragment: triFragSrc,\n  attributes: [\n    {name: 'position', type: 'vec3'},\n    {name: 'normal', type: 'vec3'},",
    `  vertex: ${JSON.stringify(MESH_CORNER)},\n  fragment: ${JSON.stringify(MESH_PIXEL)},\n  attributes: [\n    {name: 'position', type: 'vec3'},\n    {name: 'normal', type: 'vec3'},`,
  ],
  // It mixes eight of the scale's 256 colours for every pixel.
  [
    STACK_GL,
    "this.texture.minFilter = gl.LINEAR_MIPMAP_LINEAR\n    this.texture.magFilter = gl.LINEAR\n    this.texture.setPixels(genColormap(params.colormap, this.opacityscale))",
    "this.texture.minFilter = gl.NEAREST\n    this.texture.magFilter = gl.NEAREST\n    this.texture.setPixels(genColormap(params.colormap, this.opacityscale))",
  ],
  // It waits for each of its shaders, although linking a program from a faulty one fails too.
  [STACK_GL, "!gl.getShaderParameter(shader, gl.COMPILE_STATUS)", "false"],
  // It creates an error as a prototype; with a debugger attached, the whole script is read again for its stack.
  [STACK_GL, "GLError.prototype = new Error\n", "GLError.prototype = Object.create(Error.prototype)\n"],
  // It draws each label on a canvas as large as four screens, on the GPU, and reads it back.
  [STACK_GL, "defaultCanvas.width = 8192\n  defaultCanvas.height = 1024", "defaultCanvas.width = 2048\n  defaultCanvas.height = 256"],
  [STACK_GL, 'defaultCanvas.getContext("2d")', 'defaultCanvas.getContext("2d", { willReadFrequently: true })'],
  // It computes outlines of letters 64 pixels high for letters of 11 pixels,
  [STACK_GL, "var size = 64\n", "var size = 20\n"],
  // and represents all points by fractions of large integers, even if no lines cross.
  [
    STACK_GL,
    "  // Convert crossings into tjunctions by constructing rational points\n",
    "  if (crossings.length === 0 && junctions.length === 0) return []\n",
  ],
];

/** The plugin of esbuild that makes these changes. */
export const quickerPlotly = {
  name: "quicker Plotly",
  setup(build) {
    for (const filter of new Set(CHANGES.map(([file]) => file.source))) {
      build.onLoad({ filter: new RegExp(filter) }, async ({ path }) => {
        const changes = CHANGES.filter(([file]) => file.source === filter);
        return { contents: changes.reduce(changed, await readFile(path, "utf8")), loader: "js" };
      });
    }
  },
};

function changed(source, [file, before, after]) {
  if (source.split(before).length !== 2) throw new Error(`${file} has not once: ${before}`);
  return source.replace(before, () => after);
}
