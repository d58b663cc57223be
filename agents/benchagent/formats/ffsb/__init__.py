"""Output of FFSB, the Flexible File System Benchmark."""
