/* The JSON lines of `fsload age` beside those of its results. */
#ifndef FSLOAD_AGING_AGE_REPORT_H
#define FSLOAD_AGING_AGE_REPORT_H

#include "aging/aging.h"
#include "session.h"

/* Print {"type":"aging",…}: the requested and the reached values. capacity: the assumed size of the disk. */
void age_report(struct session *session, const struct aging *aging, uint64_t capacity, uint64_t used_before);

/* Print a {"type":"distribution",…} for each class of sizes, depths and ages. */
void age_report_distributions(struct session *session, const struct aging *aging);

#endif
