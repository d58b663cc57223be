/** The view against a recorder of calls to Plotly; that Plotly draws them is tests/browser's to show. */
import assert from "node:assert/strict";
import { beforeEach, describe, test } from "node:test";
import { setImmediate } from "node:timers/promises";
import { type PlotlyApi, SurfaceView } from "../src/surface/view.ts";
import { fire, one, page } from "./dom.ts";
import { grid } from "./sample.ts";

const BODY = `<div data-surface="surface-data">
  <button type="button" data-reset></button>
  <select data-slice><option value="4096">4 KiB</option><option value="65536" selected>64 KiB</option></select>
  <div data-plot="solid"></div><div data-plot="map"></div><div data-plot="slice"></div></div>`;

interface Drawn {
  plot: string;
  data: { type: string; name?: string }[];
}

describe("the view of a surface", () => {
  let document: Document;
  let drawn: Drawn[];
  let moved: unknown[];
  let themeChanged: () => void;
  let click: (event: { points: { x: number }[] }) => void;

  const recorder = {
    react: (plot: HTMLElement, data: Drawn["data"]) => {
      drawn.push({ plot: plot.dataset.plot ?? "", data });
      return Promise.resolve(Object.assign(plot, { on: (_: string, handler: typeof click) => { click = handler; } }));
    },
    relayout: (_: HTMLElement, change: unknown) => Promise.resolve(moved.push(change)),
  } as unknown as PlotlyApi;

  beforeEach(() => {
    document = page(BODY);
    drawn = [];
    moved = [];
    Object.assign(globalThis, {
      matchMedia: () => ({ addEventListener: (_: string, handler: () => void) => { themeChanged = handler; } }),
    });
  });

  /** Starts the view on a browser with or without WebGL; jsdom has no canvas of its own. */
  async function start(webGl: boolean): Promise<void> {
    const view = document.defaultView as unknown as { HTMLCanvasElement: typeof HTMLCanvasElement };
    view.HTMLCanvasElement.prototype.getContext = (() => (webGl ? {} : null)) as never;
    await new SurfaceView(one(document, "[data-surface]"), grid, recorder).start();
  }

  const names = () => drawn.map(({ plot }) => plot);
  const shown = () => drawn.findLast(({ plot }) => plot === "slice")?.data[0]?.name;

  test("draws the three figures, the slice at the chosen record size", async () => {
    await start(true);
    assert.deepEqual(names(), ["map", "slice", "solid"]);
    assert.equal(shown(), "64 KiB");
  });

  test("without WebGL the heat map stands for the surface", async () => {
    await start(false);
    assert.deepEqual(names(), ["map", "slice"]);
    assert.ok(one(document, "[data-surface]").classList.contains("flat"));
  });

  test("the select and a click on the heat map choose the slice", async () => {
    await start(true);
    const select = (one(document, "select") as HTMLSelectElement);
    select.value = "4096";
    fire(select, "change");
    await setImmediate();
    assert.equal(shown(), "4 KiB");
    click({ points: [{ x: 16 }] });
    await setImmediate();
    assert.equal(shown(), "64 KiB");
    assert.equal(select.value, "65536");
  });

  test("a choice leaves the surface, and with it the camera, alone", async () => {
    await start(true);
    drawn = [];
    click({ points: [{ x: 12 }] });
    await setImmediate();
    assert.deepEqual(names(), ["map", "slice"]);
  });

  test("another theme draws all anew", async () => {
    await start(true);
    drawn = [];
    themeChanged();
    await setImmediate();
    assert.deepEqual(names(), ["map", "slice", "solid"]);
  });

  test("the camera goes back", async () => {
    await start(true);
    one(document, "[data-reset]").click();
    assert.ok((moved[0] as { "scene.camera": { eye: object } })["scene.camera"].eye);
  });

  test("a page without a place for a figure is a mistake", async () => {
    one(document, "[data-plot=map]").remove();
    await assert.rejects(start(true), /no place for its map/);
  });
});
