/* Histograms of latencies in the format of HdrHistogram, so that any of its libraries reads them. */
#ifndef FSLOAD_HDR_H
#define FSLOAD_HDR_H

#include "histogram.h"

#include <stdio.h>

/*
 * Print a histogram in ns, as base64 of HdrHistogram's encoding V2 without compression. It has three significant
 * digits, and the count of a bucket is at the bucket's middle, so that the error stays that of the histogram.
 */
void hdr_print(FILE *file, const struct histogram *histogram, double ns_per_tick);

#endif
