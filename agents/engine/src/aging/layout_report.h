/* The JSON line of a layout. */
#ifndef FSLOAD_AGING_LAYOUT_REPORT_H
#define FSLOAD_AGING_LAYOUT_REPORT_H

#include "aging/free_space.h"
#include "aging/layout.h"
#include "session.h"

/* Print {"type":"layout","when":…}. `when` is NULL if there is only one moment. */
void layout_report(struct session *session, const char *when, const struct layout *layout,
                   const struct free_space *space);

/*
 * Write back all dirty data of the file system that holds an open directory, measure both, and print the line. False if
 * a signal came.
 */
bool layout_tell(struct session *session, const char *when, int directory, bool may_probe);

#endif
