/** Draws the figures and synchronizes them: one chosen cell, one camera, the reader's theme. */
import type { Config, PlotlyHTMLElement } from "plotly.js";
import { readTheme } from "../theme.ts";
import { moved, same } from "./camera.ts";
import { type Figure, placeText } from "./figure.ts";
import { sliceFigure } from "./flat.ts";
import type { Grid, Place } from "./grid.ts";
import { frame, placeOf, STEPS } from "./heat.ts";
import { Keeper, type Kept, readKept } from "./kept.ts";
import { ratioSlice } from "./ratio.ts";
import { type Camera, firstCamera, solidFigure } from "./solid.ts";

/** The part of window.Plotly that is used. */
export type PlotlyApi = Pick<typeof import("plotly.js").default, "react" | "relayout">;

declare global {
  interface Window {
    Plotly: PlotlyApi;
  }
}

export class SurfaceView {
  readonly #element: HTMLElement;
  readonly #grid: Grid;
  readonly #plotly: PlotlyApi;
  readonly #keeper: Keeper;
  #chosen: Place;
  #camera: Camera;

  constructor(element: HTMLElement, grid: Grid, plotly: PlotlyApi) {
    this.#element = element;
    this.#grid = grid;
    this.#plotly = plotly;
    const view = element.ownerDocument.defaultView ?? window;
    const kept = readKept(view);
    this.#keeper = new Keeper(view);
    this.#chosen = this.#firstPlace(kept);
    this.#camera = kept.camera ?? this.#firstCamera();
  }

  #firstPlace({ place }: Kept): Place {
    const { file_sizes, record_sizes } = this.#grid;
    if (place) return { row: nearest(file_sizes, place[0]), column: nearest(record_sizes, place[1]) };
    const column = nearest(record_sizes, Number(this.#select?.value));
    return { row: lastMeasured(this.#grid, column), column };
  }

  async start(): Promise<void> {
    if (!hasWebGl(this.#element.ownerDocument)) this.#element.classList.add("flat");
    this.#mark();
    await this.#draw();
    this.#listen();
  }

  #listen(): void {
    this.#select?.addEventListener("change", () => {
      this.#choose({ ...this.#chosen, column: nearest(this.#grid.record_sizes, Number(this.#select?.value)) });
    });
    for (const map of this.#plots("map")) this.#listenToMap(map);
    for (const solid of this.#shownSolids()) this.#listenToSolid(solid);
    this.#run?.addEventListener("change", () => { void this.#drawSolid(); });
    this.#element.querySelector("[data-reset]")?.addEventListener("click", () => { this.#look(this.#firstCamera()); });
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => { void this.#draw(); });
  }

  #listenToMap(map: HTMLElement): void {
    map.addEventListener("click", (event) => {
      const place = placeOf(map, event);
      if (place) this.#choose(place);
    });
    map.addEventListener("pointermove", (event) => { this.#say(placeOf(map, event)); });
    map.addEventListener("pointerleave", () => { this.#say(); });
    map.addEventListener("keydown", (event) => {
      const step = STEPS[event.key];
      if (!step || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      this.#choose({
        row: clamped(this.#chosen.row + step.row, this.#grid.file_sizes),
        column: clamped(this.#chosen.column + step.column, this.#grid.record_sizes),
      });
    });
  }

  #listenToSolid(solid: HTMLElement): void {
    // Only at the end of a rotation: keeping the view costs more than a slow frame.
    (solid as PlotlyHTMLElement).on("plotly_relayout", (event: object) => {
      const camera = (event as { "scene.camera"?: Camera })["scene.camera"];
      if (!camera || same(camera, this.#camera)) return;
      this.#camera = camera;
      this.#keep();
    });
    // Plotly would zoom with the wheel and keep the page from scrolling, so it sees the wheel only with Ctrl or ⌘.
    solid.addEventListener("wheel", (event) => {
      if (!event.ctrlKey && !event.metaKey) event.stopPropagation();
    }, { capture: true, passive: true });
    solid.addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      const camera = event.key === "Home" ? this.#firstCamera() : moved(this.#camera, event.key);
      if (!camera) return;
      event.preventDefault();
      this.#look(camera);
    });
  }

  #look(camera: Camera): void {
    this.#camera = camera;
    this.#keep();
    for (const solid of this.#shownSolids()) {
      void this.#plotly.relayout(solid, { "scene.camera": this.#camera } as object);
    }
  }

  #choose(place: Place): void {
    this.#chosen = place;
    this.#keep();
    this.#mark();
    void this.#drawSlices();
  }

  #keep(): void {
    const { row, column } = this.#chosen;
    this.#keeper.keep({
      place: [this.#grid.file_sizes[row] ?? 0, this.#grid.record_sizes[column] ?? 0],
      camera: this.#camera,
    });
  }

  /** Shows the chosen cell in the menu, in the heat maps, in the table of numbers and in words. */
  #mark(): void {
    const { row, column } = this.#chosen;
    if (this.#select) this.#select.value = String(this.#grid.record_sizes[column]);
    for (const map of this.#plots("map")) frame(map, this.#chosen);
    const document = this.#element.ownerDocument;
    for (const cell of document.querySelectorAll("#surface-table .pointed")) cell.classList.remove("pointed");
    this.#grid.surfaces.forEach((_, s) => {
      document.querySelector(`[data-cell="c${s}-${row}-${column}"]`)?.closest("td")?.classList.add("pointed");
    });
    this.#say();
  }

  #say(place?: Place): void {
    const readout = this.#element.querySelector("[data-readout]");
    const text = this.#readout(place ?? this.#chosen);
    if (readout && readout.textContent !== text) readout.textContent = text; // screen readers must not read it twice
  }

  /** The text of all panels for a cell. */
  #readout(place: Place): string {
    const { row, column } = place;
    const { surfaces, ratio } = this.#grid;
    const of = (label: string, text: string | null | undefined) =>
      surfaces.length > 1 ? `${label}: ${text ?? "not measured"}` : (text ?? "not measured");
    const figures = surfaces.map(({ label, text }) => of(label, text[row]?.[column]));
    const compared = ratio?.text[row]?.[column];
    return `${placeText(this.#grid, place)}. ${[...figures, ...(compared ? [`Ratio: ${compared}`] : [])].join(". ")}`;
  }

  async #draw(): Promise<void> {
    await this.#drawSolid();
    await this.#drawSlices();
  }

  /** Draws the surface of the run that the menu shows. */
  async #drawSolid(): Promise<void> {
    const of = Number(this.#run?.value ?? 0);
    for (const solid of this.#shownSolids()) {
      await this.#show(solid, solidFigure(this.#grid, of, this.#theme, this.#camera));
    }
  }

  /** On a phone the labels take more of the width, so the surface is further away. */
  #firstCamera(): Camera {
    const width = this.#plots("solid")[0]?.clientWidth ?? 0;
    return firstCamera(width < 380 ? 1.8 : width < 500 ? 1.5 : 1.26);
  }

  async #drawSlices(): Promise<void> {
    const [grid, theme, chosen] = [this.#grid, this.#theme, this.#chosen];
    for (const slice of this.#plots("slice")) {
      const compared = slice.dataset.ratio === undefined ? null : grid.ratio;
      await this.#show(slice, compared ? ratioSlice(grid, compared, theme, chosen) : sliceFigure(grid, theme, chosen));
    }
  }

  async #show(plot: HTMLElement, { data, layout }: Figure): Promise<void> {
    await this.#plotly.react(plot, data, layout, this.#config());
  }

  #config(): Partial<Config> {
    return {
      responsive: true,
      plotGlPixelRatio: this.#element.ownerDocument.defaultView?.devicePixelRatio ?? 1, // Plotly's default is four times the pixels of the screen
      displayModeBar: false, // the page has the exported pictures
    };
  }

  #shownSolids(): HTMLElement[] {
    return this.#element.classList.contains("flat") ? [] : this.#plots("solid");
  }

  /** The elements for figures of this kind; throws if the page has none. */
  #plots(kind: "solid" | "map" | "slice"): HTMLElement[] {
    const plots = [...this.#element.querySelectorAll<HTMLElement>(`[data-plot=${kind}]`)];
    if (plots.length === 0) throw new Error(`The surface has no place for its ${kind}`);
    return plots;
  }

  get #select(): HTMLSelectElement | null {
    return this.#element.querySelector("select[data-slice]");
  }

  get #run(): HTMLSelectElement | null {
    return this.#element.querySelector("select[data-solid]");
  }

  get #theme() {
    return readTheme(this.#element.ownerDocument);
  }
}

function clamped(index: number, sizes: number[]): number {
  return Math.min(sizes.length - 1, Math.max(0, index));
}

/** The index of the nearest size on a log scale; the first if `bytes` is not a size. */
function nearest(sizes: number[], bytes: number): number {
  const distances = sizes.map((size) => Math.abs(Math.log2(size / bytes)));
  return Math.max(0, distances.indexOf(Math.min(...distances)));
}

/** The row of the largest file with a value at this record size. */
function lastMeasured(grid: Grid, column: number): number {
  const rows = grid.surfaces.map(({ value }) => value.findLastIndex((row) => (row[column] ?? null) !== null));
  return Math.max(0, ...rows);
}

function hasWebGl(document: Document): boolean {
  return document.createElement("canvas").getContext("webgl") !== null;
}
