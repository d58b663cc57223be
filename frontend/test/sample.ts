/** A small grid with every kind of cell, and a pair of runs with their ratio. */
import type { Grid, Surface } from "../src/surface/grid.ts";
import type { Theme } from "../src/theme.ts";

export const KIB = 1024;

const ext4: Surface = {
  label: "ext4",
  colour: 1,
  value: [[10, 400], [20, null], [30, null]],
  spread: [[1, 4], [2, null], [null, null]],
  text: [["10.0 ± 1.0 MiB/s, n = 5", "400.0 ± 4.0 MiB/s, n = 5"], ["20.0 ± 2.0 MiB/s, n = 5", "failed: read: <I/O error>"], ["30.00 MiB/s, n = 1", null]],
};

export const grid: Grid = {
  test: "read",
  title: "Read",
  quantity: "throughput",
  unit: "MiB/s",
  record_sizes: [4 * KIB, 64 * KIB],
  file_sizes: [64 * KIB, 256 * KIB, 1024 * KIB],
  marks: [
    { label: "L1", bytes: 32 * KIB, axis: "record_size", of: [0] },
    { label: "L2", bytes: 512 * KIB, axis: "file_size", of: [0] },
    { label: "memory", bytes: 2 ** 33, axis: "file_size", of: [0] },
  ],
  surfaces: [ext4],
  ratio: null,
  colours: { low: 10, high: 400, logarithmic: false },
};

/** xfs is twice as fast in one place, half as fast in another, and not known to differ in a third. */
export const pair: Grid = {
  ...grid,
  marks: [
    { label: "L2", bytes: 512 * KIB, axis: "file_size", of: [0, 1] },
    { label: "memory", bytes: 128 * KIB, axis: "file_size", of: [1] },
  ],
  surfaces: [
    ext4,
    {
      ...ext4,
      label: "xfs",
      colour: 2,
      value: [[20, 200], [21, null], [null, null]],
      text: [["20.0 ± 1.0 MiB/s, n = 5", "200.0 ± 4.0 MiB/s, n = 5"], ["21.0 ± 2.0 MiB/s, n = 5", null], [null, null]],
    },
  ],
  ratio: {
    label: "xfs ÷ ext4",
    margin: 0.05,
    higher_is_better: true,
    value: [[2, 0.5], [1.05, null], [null, null]],
    low: [[1.9, 0.45], [0.9, null], [null, null]],
    high: [[2.1, 0.55], [1.2, null], [null, null]],
    verdict: [["better", "worse"], ["inconclusive", "none"], [null, null]],
    text: [["Better: throughput × 2", "Worse"], ["Undecided", "It failed."], [null, null]],
  },
};

export const theme: Theme = {
  ink: "#111111",
  faint: "#666666",
  rule: "#dddddd",
  paper: "#ffffff",
  series: ["#0072b2", "#d55e00", "#009e73"],
  font: "sans-serif",
};
