/*
 * Tests that work on the entries that earlier ones left: create, walk, remove. Missing entries that a test needs are
 * made first, outside of any measurement.
 */
#ifndef FSLOAD_TREE_STAGES_H
#define FSLOAD_TREE_STAGES_H

#include "session.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct stage {
    const char *test; /* NULL: run only for the needs of others */
    bool (*prepare)(struct worker *);
    bool (*run)(struct worker *);
    bool (*finish)(struct worker *);
    const void *argument; /* for functions that serve several stages: stage_argument() */
    unsigned needs; /* bits of the entries that must exist before */
    unsigned makes; /* … that exist after it */
    unsigned takes; /* … that no longer exist after it */
};

struct stages {
    struct session *session;
    struct crew *crew;
    const struct stage *table;
    size_t count;
    void *task;
    unsigned there; /* bits of the entries that exist now */
};

/* The task of a stage's job. */
struct stage_task {
    void *task;
    const void *argument;
};

/* The stages' task of a worker. */
static inline void *stage_task(const struct worker *worker)
{
    return ((const struct stage_task *)worker->task)->task;
}

static inline const void *stage_argument(const struct worker *worker)
{
    return ((const struct stage_task *)worker->task)->argument;
}

/*
 * Measure one test and print its result. Missing entries that it needs are made first. Its data are on the disk
 * afterwards (syncfs, outside the time), so that the next test has no dirty pages of this one. After a failure,
 * everything is removed.
 */
void stages_run(struct stages *stages, const struct stage *stage, const struct cell *cell);

/* Bytes on the disk for a directory, or for a file's inode and name; and for a file with its data. */
#define ENTRY_ROOM 4096U

static inline uint64_t stages_file_room(uint64_t size)
{
    return ENTRY_ROOM + (size + ENTRY_ROOM - 1) / ENTRY_ROOM * ENTRY_ROOM;
}

#endif
