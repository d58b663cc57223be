/** Puts the figures on the page and keeps them in step: one chosen record size, the reader's theme, the camera. */
import type { Config, PlotlyHTMLElement } from "plotly.js";
import { readTheme } from "../theme.ts";
import type { Figure } from "./figure.ts";
import { mapFigure, sliceFigure } from "./flat.ts";
import type { Grid } from "./grid.ts";
import { solidFigure } from "./solid.ts";

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
  #chosen: number;

  constructor(element: HTMLElement, grid: Grid, plotly: PlotlyApi) {
    this.#element = element;
    this.#grid = grid;
    this.#plotly = plotly;
    this.#chosen = this.#column(Number(this.#select?.value));
  }

  async start(): Promise<void> {
    if (!hasWebGl(this.#element.ownerDocument)) this.#element.classList.add("flat");
    await this.#draw();
    this.#listen();
  }

  #listen(): void {
    this.#select?.addEventListener("change", () => {
      this.#choose(this.#column(Number(this.#select?.value)));
    });
    (this.#plot("map") as PlotlyHTMLElement).on("plotly_click", ({ points }) => {
      const x = points[0]?.x;
      if (typeof x === "number") this.#choose(this.#column(2 ** x));
    });
    this.#element.querySelector("[data-reset]")?.addEventListener("click", () => {
      const { camera } = this.#solid().layout.scene ?? {};
      void this.#plotly.relayout(this.#plot("solid"), { "scene.camera": camera } as object);
    });
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
      void this.#draw();
    });
  }

  #choose(column: number): void {
    this.#chosen = column;
    if (this.#select) this.#select.value = String(this.#grid.record_sizes[column]);
    void this.#drawFlat();
  }

  async #draw(): Promise<void> {
    await this.#drawFlat();
    if (!this.#element.classList.contains("flat")) await this.#show("solid", this.#solid());
  }

  /** On a phone the labels take more of the width, so the surface stands further back. */
  #solid(): Figure {
    return solidFigure(this.#grid, this.#theme, this.#plot("solid").clientWidth < 500 ? 1.15 : 1);
  }

  async #drawFlat(): Promise<void> {
    const theme = this.#theme;
    await this.#show("map", mapFigure(this.#grid, theme, this.#chosen));
    await this.#show("slice", sliceFigure(this.#grid, theme, this.#chosen));
  }

  async #show(name: string, { data, layout }: Figure): Promise<void> {
    await this.#plotly.react(this.#plot(name), data, layout, this.#config(name));
  }

  #config(name: string): Partial<Config> {
    return {
      responsive: true,
      displaylogo: false,
      modeBarButtons: [["toImage"]],
      toImageButtonOptions: { filename: `${this.#grid.test}-${name}`, scale: 2 },
    };
  }

  /** The column whose record size is nearest on the log scale; the first where `bytes` is not a size. */
  #column(bytes: number): number {
    const distances = this.#grid.record_sizes.map((size) => Math.abs(Math.log2(size / bytes)));
    return Math.max(0, distances.indexOf(Math.min(...distances)));
  }

  #plot(name: string): HTMLElement {
    const plot = this.#element.querySelector<HTMLElement>(`[data-plot=${name}]`);
    if (!plot) throw new Error(`The surface has no place for its ${name}`);
    return plot;
  }

  get #select(): HTMLSelectElement | null {
    return this.#element.querySelector("select[data-slice]");
  }

  get #theme() {
    return readTheme(this.#element.ownerDocument);
  }
}

function hasWebGl(document: Document): boolean {
  return document.createElement("canvas").getContext("webgl") !== null;
}
