/** Pages with a trend: one figure of points over time. window.Plotly comes from plotly.js, loaded just before. */
import { readJson } from "./json.ts";
import type { Trend } from "./trend/data.ts";
import { TrendView } from "./trend/view.ts";

for (const element of document.querySelectorAll<HTMLElement>("[data-trend]")) {
  const trend = readJson(document, element.dataset.trend ?? "") as Trend;
  void new TrendView(element, trend, window.Plotly).start();
}
