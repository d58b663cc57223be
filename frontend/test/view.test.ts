/** The view against a recorder of calls to Plotly; that Plotly draws them is tests/browser's to show. */
import assert from "node:assert/strict";
import { beforeEach, describe, test } from "node:test";
import { setImmediate, setTimeout } from "node:timers/promises";
import type { Grid } from "../src/surface/grid.ts";
import { type PlotlyApi, SurfaceView } from "../src/surface/view.ts";
import { fire, one, page } from "./dom.ts";
import { grid, pair } from "./sample.ts";

const SELECT = `<select data-slice><option value="4096">4 KiB</option><option value="65536" selected>64 KiB</option></select>`;
/** Two record sizes, three file sizes, the largest first. */
const HEAT = `<table><tbody>${"<tr><th></th><td></td><td></td><th></th></tr>".repeat(3)}</tbody></table>`;
const MAP = `<div data-plot="map" tabindex="0">${HEAT}</div>`;
const SOLID = `<div data-plot="solid" tabindex="0"></div>`;
const RUNS = `<select data-solid><option value="0" selected>ext4</option><option value="1">xfs</option></select>`;
const BODY = `<div data-surface="surface-data"><button type="button" data-reset></button>${SELECT}
  ${MAP}${SOLID}<div data-plot="slice"></div><p data-readout></p></div>`;
const PAIR = `<div data-surface="surface-data"><button type="button" data-reset></button>${SELECT}
  ${MAP.repeat(3)}${RUNS}${SOLID}<div data-plot="slice"></div><div data-plot="slice" data-ratio></div></div>`;

interface Drawn {
  plot: string;
  data: { type: string; name?: string; y?: unknown }[];
  layout: object;
}
type Handler = (event: object) => void;

describe("the view of a surface", () => {
  let document: Document;
  let drawn: Drawn[];
  let moved: { plot: string; change: { "scene.camera": { eye: { x: number } } } }[];
  let themeChanged: () => void;
  let handlers: Map<string, Handler>;

  const nameOf = ({ dataset }: HTMLElement) => `${dataset.plot ?? ""}${dataset.ratio === undefined ? "" : "-ratio"}`;
  const recorder = {
    react: (plot: HTMLElement, data: Drawn["data"], layout: object) => {
      drawn.push({ plot: nameOf(plot), data, layout });
      const on = (event: string, handler: Handler) => handlers.set(`${nameOf(plot)} ${event}`, handler);
      return Promise.resolve(Object.assign(plot, { on }));
    },
    relayout: (plot: HTMLElement, change: (typeof moved)[0]["change"]) =>
      Promise.resolve(moved.push({ plot: nameOf(plot), change })),
  } as unknown as PlotlyApi;

  beforeEach(() => {
    handlers = new Map();
    drawn = [];
    moved = [];
    Object.assign(globalThis, {
      matchMedia: () => ({ addEventListener: (_: string, handler: () => void) => { themeChanged = handler; } }),
    });
  });

  /** Starts the view on a browser with or without WebGL; jsdom has no canvas of its own. */
  async function start(webGl: boolean, body = BODY, shown: Grid = grid, hash = "", kept = ""): Promise<void> {
    document = page(body);
    const view = document.defaultView as unknown as Window & { HTMLCanvasElement: typeof HTMLCanvasElement };
    view.location.hash = hash;
    view.sessionStorage.setItem("benchdb.surface", kept);
    view.HTMLCanvasElement.prototype.getContext = (() => (webGl ? {} : null)) as never;
    await new SurfaceView(one(document, "[data-surface]"), shown, recorder).start();
  }

  /** Whether Plotly, whose listener is inside the plot, sees the wheel. */
  const zooms = (keys: object) => {
    const solid = one(document, "[data-plot=solid]");
    const canvas = solid.appendChild(document.createElement("canvas"));
    let seen = false;
    canvas.addEventListener("wheel", () => { seen = true; });
    fire(canvas, "wheel", keys);
    canvas.remove();
    return seen;
  };

  test("zooms by the wheel with Ctrl or ⌘ only, so that the page scrolls", async () => {
    await start(true);
    assert.deepEqual([zooms({}), zooms({ ctrlKey: true }), zooms({ metaKey: true })], [false, true, true]);
  });

  const names = () => drawn.map(({ plot }) => plot);
  const slice = () => drawn.findLast(({ plot }) => plot === "slice")?.data[0]?.y;
  const cell = (row: number, column: number) =>
    document.querySelectorAll("[data-plot=map] tbody tr")[2 - row]?.querySelectorAll("td")[column] as HTMLElement;
  const readout = () => one(document, "[data-readout]").textContent;

  test("draws the three figures, the slice at the chosen record size", async () => {
    await start(true);
    assert.deepEqual(names(), ["solid", "slice"]);
    assert.deepEqual(slice(), [400, null, null]);
  });

  test("two runs share a surface, which the menu changes, and have a slice of their ratio", async () => {
    await start(true, PAIR, pair);
    assert.deepEqual(names(), ["solid", "slice", "slice-ratio"]);
    const heights = () => JSON.stringify(drawn.findLast(({ plot }) => plot === "solid")?.data[0]);
    const before = heights();
    const menu = one(document, "[data-solid]") as HTMLSelectElement;
    menu.value = "1";
    fire(menu, "change");
    await setImmediate();
    assert.notEqual(heights(), before);
  });

  test("without WebGL the heat map stands for the surface", async () => {
    await start(false);
    assert.deepEqual(names(), ["slice"]);
    assert.ok(one(document, "[data-surface]").classList.contains("flat"));
  });

  test("the select and a click on the heat map choose the slice", async () => {
    await start(true);
    const select = one(document, "select") as HTMLSelectElement;
    select.value = "4096";
    fire(select, "change");
    await setImmediate();
    assert.deepEqual(slice(), [10, 20, 30]);
    cell(1, 1).click();
    await setImmediate();
    assert.deepEqual(slice(), [400, null, null]);
    assert.equal(select.value, "65536");
    assert.equal(readout(), "256 KiB file, 64 KiB records. failed: read: <I/O error>");
  });

  test("a click beside the cells chooses nothing", async () => {
    await start(true);
    const before = readout();
    one(document, "[data-plot=map] th").click();
    assert.equal(before, "64 KiB file, 64 KiB records. 400.0 ± 4.0 MiB/s, n = 5");
    assert.equal(readout(), before);
  });

  test("arrow keys on the heat map choose a place, say it, and stop at the edge", async () => {
    await start(true);
    const map = one(document, "[data-plot=map]");
    assert.equal(fire(map, "keydown", { key: "ArrowLeft" }).defaultPrevented, true);
    fire(map, "keydown", { key: "ArrowUp" });
    fire(map, "keydown", { key: "ArrowUp" });
    assert.equal(readout(), "1 MiB file, 4 KiB records. 30.00 MiB/s, n = 1");
    for (let i = 0; i < 5; i += 1) fire(map, "keydown", { key: "ArrowDown" });
    assert.equal(readout(), "64 KiB file, 4 KiB records. 10.0 ± 1.0 MiB/s, n = 5");
    assert.equal(fire(map, "keydown", { key: "Tab" }).defaultPrevented, false);
  });

  test("a pointer over the heat map is told what is there, and what is chosen when it has left", async () => {
    await start(true);
    fire(cell(2, 0), "pointermove");
    assert.match(readout(), /^1 MiB file, 4 KiB records/);
    fire(one(document, "[data-plot=map]"), "pointerleave");
    assert.match(readout(), /^64 KiB file, 64 KiB records/);
  });

  test("the chosen cell is framed in every heat map and in the table of numbers", async () => {
    const numbers = `<table id="surface-table"><tbody><tr><td><a data-cell="c1-2-0"></a></td></tr></tbody></table>`;
    await start(true, PAIR + numbers, pair);
    for (const key of ["ArrowLeft", "ArrowUp", "ArrowUp"]) fire(one(document, "[data-plot=map]"), "keydown", { key });
    const framed = [...document.querySelectorAll(".chosen")];
    assert.deepEqual(framed.map((each) => each.closest("tr")?.previousElementSibling), [null, null, null]);
    assert.equal(document.querySelectorAll(".in-slice").length, 9);
    assert.ok(document.querySelector("#surface-table td.pointed"));
    fire(one(document, "[data-plot=map]"), "keydown", { key: "ArrowDown" });
    assert.equal(document.querySelector("#surface-table td.pointed"), null);
  });

  test("on a heat map that is drawn a place is told by where the pointer is, and framed there", async () => {
    const drawing = `<svg class="cells" viewBox="0 0 2 3"><path></path></svg>`;
    await start(true, BODY.replace(HEAT, drawing));
    const map = one(document, "svg.cells");
    map.getBoundingClientRect = () => ({ left: 100, top: 50, width: 200, height: 300 }) as DOMRect;
    fire(one(document, "svg.cells path"), "pointermove", { clientX: 299, clientY: 51 });
    assert.match(readout(), /^1 MiB file, 64 KiB records/);
    fire(map, "click", { clientX: 150, clientY: 200 });
    assert.match(readout(), /^256 KiB file, 4 KiB records/);
    const sides = (name: string) => {
      const [rect, ...more] = document.querySelectorAll(`svg.cells > rect.${name}`);
      assert.equal(more.length, 0);
      return ["x", "y", "width", "height"].map((side) => rect?.getAttribute(side));
    };
    assert.deepEqual([sides("in-slice"), sides("chosen")], [["0", "0", "1", "3"], ["0", "1", "1", "1"]]);
    const before = readout();
    fire(one(document, "[data-plot=map]"), "click", { clientX: 90, clientY: 60 });
    assert.equal(readout(), before);
  });

  test("the address says where to look and what is chosen", async () => {
    await start(true, BODY, grid, "#place=1048576,4096&camera=2,1,1,0,0,0");
    assert.match(readout(), /^1 MiB file, 4 KiB records/);
    fire(one(document, "[data-plot=solid]"), "keydown", { key: "-" });
    assert.ok((moved[0]?.change["scene.camera"].eye.x ?? 0) > 2);
  });

  test("camera and place outlive the page, and can be sent to somebody", async () => {
    await start(true);
    cell(1, 0).click();
    fire(one(document, "[data-plot=solid]"), "keydown", { key: "ArrowLeft" });
    const { location, sessionStorage } = document.defaultView as unknown as Window;
    while (!location.hash) await setTimeout(20);
    assert.match(location.hash, /^#place=262144,4096&camera=(-?[\d.]+,){5}-?[\d.]+$/);
    assert.equal(`#${sessionStorage.getItem("benchdb.surface") ?? ""}`, location.hash);
    const { hash } = location;
    await start(true, BODY, grid, "#place=nonsense", hash.slice(1));
    assert.match(readout(), /^256 KiB file, 4 KiB records/);
  });

  test("of two runs the readout says both and their ratio", async () => {
    await start(true, PAIR.replace("</div></div>", "</div><p data-readout></p></div>"), pair);
    fire(one(document, "[data-plot=map]"), "keydown", { key: "ArrowLeft" });
    fire(one(document, "[data-plot=map]"), "keydown", { key: "ArrowDown" });
    assert.match(readout(), /^64 KiB file, 4 KiB records\. ext4: 10\.0 .* xfs: 20\.0 .*\. Ratio: Better: throughput × 2/);
  });

  test("a choice leaves the surface, and with it the camera, alone", async () => {
    await start(true);
    drawn = [];
    cell(0, 0).click();
    await setImmediate();
    assert.deepEqual(names(), ["slice"]);
  });

  test("another theme draws all anew", async () => {
    await start(true);
    drawn = [];
    themeChanged();
    await setImmediate();
    assert.deepEqual(names(), ["solid", "slice"]);
  });

  test("keys turn the surface, and Home brings all back", async () => {
    await start(true);
    const solid = one(document, "[data-plot=solid]");
    fire(solid, "keydown", { key: "ArrowLeft" });
    const turned = moved[0]?.change["scene.camera"].eye.x;
    moved = [];
    fire(solid, "keydown", { key: "Home" });
    assert.notEqual(moved[0]?.change["scene.camera"].eye.x, turned);
    assert.equal(fire(solid, "keydown", { key: "a" }).defaultPrevented, false);
    assert.equal(fire(solid, "keydown", { key: "ArrowLeft", ctrlKey: true }).defaultPrevented, false);
  });

  test("a surface that was dragged keeps its camera when the menu changes the run", async () => {
    await start(true, PAIR, pair);
    const camera = { eye: { x: 2, y: 1, z: 1 }, center: { x: 0, y: 0, z: 0 } };
    handlers.get("solid plotly_relayout")?.({ "scene.camera": camera });
    handlers.get("solid plotly_relayout")?.({ width: 300 });
    assert.equal(moved.length, 0);
    fire(one(document, "[data-solid]"), "change");
    await setImmediate();
    assert.match(JSON.stringify(drawn.at(-1)), /"eye":\{"x":2,"y":1,"z":1\}/);
  });

  test("the button brings the first view back", async () => {
    await start(true);
    one(document, "[data-reset]").click();
    assert.ok(moved[0]?.change["scene.camera"].eye);
  });

  test("a page without a place for a figure is a mistake", async () => {
    await assert.rejects(start(true, BODY.replace(`data-plot="map"`, "")), /no place for its map/);
  });
});
