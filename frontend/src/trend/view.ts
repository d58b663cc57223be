/** Puts the figure of a trend on the page, in the colours of the reader's theme. */
import type { PlotlyApi } from "../surface/view.ts";
import { readTheme } from "../theme.ts";
import type { Trend } from "./data.ts";
import { trendFigure } from "./figure.ts";

const COLOURS = 7; // --series-1 … --series-7

export class TrendView {
  readonly #element: HTMLElement;
  readonly #trend: Trend;
  readonly #plotly: Pick<PlotlyApi, "react">;

  constructor(element: HTMLElement, trend: Trend, plotly: Pick<PlotlyApi, "react">) {
    this.#element = element;
    this.#trend = trend;
    this.#plotly = plotly;
  }

  async start(): Promise<void> {
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
      void this.#draw();
    });
    await this.#draw();
  }

  async #draw(): Promise<void> {
    const document = this.#element.ownerDocument;
    const plot = this.#element.querySelector<HTMLElement>("[data-plot=trend]");
    if (!plot) throw new Error("The trend has no place for its chart");
    const { data, layout } = trendFigure(this.#trend, readTheme(document), seriesColours(document), plot.clientWidth);
    await this.#plotly.react(plot, data, layout, {
      responsive: true,
      displaylogo: false,
      modeBarButtons: [["toImage", "resetScale2d"]],
      toImageButtonOptions: { filename: "trend", scale: 2 },
    });
  }
}

/** A variable that names another has its value already: computed styles are resolved. */
function seriesColours(document: Document): string[] {
  const style = getComputedStyle(document.body);
  return Array.from({ length: COLOURS }, (_, i) => style.getPropertyValue(`--series-${i + 1}`).trim());
}
