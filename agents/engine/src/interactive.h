/*
 * A small interactive job beside the workload: at a fixed rate it makes a file of 4 KiB, writes, fsyncs, stats and
 * removes it, as an editor does when it saves. Its duration is the delay that users feel while the disk is busy.
 */
#ifndef FSLOAD_INTERACTIVE_H
#define FSLOAD_INTERACTIVE_H

#include "crew.h"
#include "workspace.h"

#include <stdbool.h>

/* The steps, each a test with a counter, and the whole job, whose time begins when it is due and not at its start. */
enum interactive_step { STEP_OPEN, STEP_WRITE, STEP_FSYNC, STEP_STAT, STEP_REMOVE, STEP_JOB, INTERACTIVE_STEPS };

extern const char *const interactive_names[INTERACTIVE_STEPS];

/* Start the thread, `rate` jobs per second in the given directory. False, with errno, if that is impossible. */
bool interactive_start(int directory, double rate);

/* End the thread if it was started. */
void interactive_stop(void);

/*
 * Begin and end the time of a measurement; both return it, so that measurement and jobs have the same bounds. A
 * crew calls these, and waits for the jobs that were due in between.
 */
uint64_t interactive_begin(void);
uint64_t interactive_end(void);
void interactive_wait(void);

/*
 * The counters of the last measurement, one per step; NULL if the job does not run. The failure is that of the first
 * job that failed.
 */
const struct counter *interactive_counters(struct failure *failure);

#endif
