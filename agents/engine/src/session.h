/* The context of a command: its directory, its counts, its output. */
#ifndef FSLOAD_SESSION_H
#define FSLOAD_SESSION_H

#include "crew.h"
#include "workspace.h"

#include <stdbool.h>
#include <stdint.h>

struct session {
    struct workspace workspace;
    uint64_t repetition; /* from 0 */
    unsigned results;    /* lines so far */
    unsigned failed;     /* of them */
    unsigned number;     /* of the test that runs, from 1 */
    unsigned total;      /* number of tests in all repetitions, set before the first test if known */
    bool refused;        /* the command could not start */
    bool lines_lost;     /* stdout was closed */
};

/* The subject of a result line. 0 and NULL: does not apply. */
struct cell {
    const char *test;
    uint64_t file_size;
    uint64_t record_size;
    const char *params; /* the members of a JSON object, part of the result's identity: `"group":0,"verified":true` */
    const char *facts;  /* members of the line itself, no part of its identity: `"ended_by":"time"` */
};

/* False after a signal, a refusal or the closing of stdout: nothing more must be measured. */
bool session_goes_on(const struct session *session);

/* "3/12 …" on stderr: a test begins. */
void session_progress(struct session *session, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The result line of a measurement whose operations are all of one kind; none if it was stopped. */
void session_report(struct session *session, const struct cell *cell, const struct measurement *measurement);

/*
 * The result line of one kind of operation among several; session_report() prints their total. A kind without
 * operations has a line too.
 */
void session_report_kind(struct session *session, const struct cell *cell, const struct measurement *measurement,
                         unsigned kind);

/* Print a failure in the preparation of a measurement: the test has failed. */
void session_report_failure(struct session *session, const struct cell *cell, unsigned threads,
                            const struct failure *failure);

/* Print the reason of a refusal; nothing more is measured, and the exit status shows it. Returns false. */
bool session_refuse(struct session *session, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Whether this number of bytes and of new files and directories fits; refuses if not. */
bool session_room(struct session *session, uint64_t bytes, uint64_t entries);

/* A crew for this session, or a refusal for lack of memory. */
bool session_hire(struct session *session, struct crew *crew, uint64_t threads, unsigned kinds, uint64_t max_record);

#endif
