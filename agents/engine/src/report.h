/* The JSON lines on stdout and the progress on stderr. README.md describes them. */
#ifndef FSLOAD_REPORT_H
#define FSLOAD_REPORT_H

#include "options.h"
#include "test.h"

void report_header(const struct options *options, int argc, char *const *argv);
void report_result(const struct options *options, const struct cell *cell, unsigned repetition,
                   const struct measurement *measurement);
void report_end(unsigned results, unsigned failed, int signal);

/* "3/12 write …": what comes next. */
void report_progress(unsigned number, unsigned total, const struct cell *cell);

/* Whether all lines so far reached stdout. */
bool report_flush(void);

#endif
