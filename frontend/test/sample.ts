/** A small grid with every kind of cell. */
import type { Grid } from "../src/surface/grid.ts";
import type { Theme } from "../src/theme.ts";

export const KIB = 1024;

export const grid: Grid = {
  test: "read",
  metric: "throughput",
  unit: "MiB/s",
  record_sizes: [4 * KIB, 64 * KIB],
  file_sizes: [64 * KIB, 256 * KIB, 1024 * KIB],
  mean: [[10, 400], [20, null], [30, null]],
  sd: [[1, 4], [2, null], [null, null]],
  n: [[5, 5], [5, null], [1, null]],
  status: [["ok", "ok"], ["ok", "failed"], ["ok", null]],
  text: [["10.0 ± 1.0", "400.0 ± 4.0"], ["20.0 ± 2.0", "read: <I/O error>"], ["30.00", null]],
  marks: [
    { label: "L1", bytes: 32 * KIB, axis: "record_size" },
    { label: "L2", bytes: 512 * KIB, axis: "file_size" },
    { label: "memory", bytes: 2 ** 33, axis: "file_size" },
  ],
};

export const theme: Theme = {
  ink: "#111111",
  faint: "#666666",
  rule: "#dddddd",
  paper: "#ffffff",
  series: "#0072b2",
  font: "sans-serif",
};
