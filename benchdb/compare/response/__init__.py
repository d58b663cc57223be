"""Response curves: throughput against latency over threads, depth, rate or another number, with their knees."""
