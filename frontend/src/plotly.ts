/** The Plotly.js bundle, `window.Plotly`: the core and the traces that BenchDB's charts use, nothing else. */
import * as Plotly from "plotly.js/lib/core";
import * as mesh3d from "plotly.js/lib/mesh3d";
import * as scatter3d from "plotly.js/lib/scatter3d";

Plotly.register([mesh3d, scatter3d]); // scatter is part of the core
Object.assign(window, { Plotly });
