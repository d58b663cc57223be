/** The Plotly.js bundle, `window.Plotly`: the core and the traces that BenchDB's charts use, nothing else. */
import * as Plotly from "plotly.js/lib/core";
import * as scatter3d from "plotly.js/lib/scatter3d";
import * as surface from "plotly.js/lib/surface";

Plotly.register([scatter3d, surface]); // scatter is part of the core
Object.assign(window, { Plotly });
