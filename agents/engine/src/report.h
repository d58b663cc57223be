/* The JSON lines on stdout. README.md describes them. */
#ifndef FSLOAD_REPORT_H
#define FSLOAD_REPORT_H

#include "command.h"
#include "session.h"

void report_header(const struct command *command, int argc, char *const *argv);
void report_measurement(const struct session *session, const struct cell *cell, const struct measurement *measurement);
void report_counter(const struct session *session, const struct cell *cell, unsigned threads, uint64_t elapsed_ns,
                    const struct counter *counter);
void report_failure(const struct session *session, const struct cell *cell, unsigned threads,
                    const struct failure *failure);
void report_end(const struct session *session, int signal);

/* Whether all lines so far reached stdout. */
bool report_flush(void);

#endif
