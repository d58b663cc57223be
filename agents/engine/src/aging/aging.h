/* Ages a file system: carries out the decisions of a population on the disk. */
#ifndef FSLOAD_AGING_AGING_H
#define FSLOAD_AGING_AGING_H

#include "aging/directories.h"
#include "aging/population.h"
#include "crew.h"

#include <stdbool.h>
#include <stdint.h>

enum aging_kind { AGING_CREATE, AGING_DELETE, AGING_KINDS };

/* The largest record in which files are written, in bytes. */
#define AGING_RECORD (UINT64_C(1) << 20)

struct aging {
    int directory;
    bool fallocate; /* allocate the files instead of writing them */
    struct population population;
    struct directories directories;
    struct aged_file next; /* decided, and waiting for room */
    bool has_next;
    uint64_t next_sync;    /* when to write everything back, in bytes written */
    uint64_t digest;       /* of all operations so far */
    uint64_t start_ns;     /* of this job … */
    uint64_t start;        /* … and in files made */
    uint64_t next_progress_ns;
};

/* Make files until the budget is used: nothing is deleted, so this is the unaged file system. Task: struct aging. */
extern const struct job aging_fill;

/* Then delete and make files, at that fullness, until the horizon. */
extern const struct job aging_churn;

#endif
