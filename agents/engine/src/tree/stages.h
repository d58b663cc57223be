/*
 * Tests that follow one another on what the earlier ones left: create, walk, remove. A test that needs what is not
 * there has it made first, outside of any measurement.
 */
#ifndef FSLOAD_TREE_STAGES_H
#define FSLOAD_TREE_STAGES_H

#include "session.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct stage {
    const char *test; /* NULL: only ever a part of the next ones */
    bool (*prepare)(struct worker *);
    bool (*run)(struct worker *);
    bool (*finish)(struct worker *);
    const void *argument; /* for functions that serve several stages: stage_argument() */
    unsigned needs; /* bits of what must be there */
    unsigned makes; /* … of what is there after it */
    unsigned takes; /* … of what is not there any more after it */
};

struct stages {
    struct session *session;
    struct crew *crew;
    const struct stage *table;
    size_t count;
    void *task;
    unsigned there; /* bits of what is there now */
};

/* The task of a stage's job. */
struct stage_task {
    void *task;
    const void *argument;
};

/* What a worker works on. */
static inline void *stage_task(const struct worker *worker)
{
    return ((const struct stage_task *)worker->task)->task;
}

static inline const void *stage_argument(const struct worker *worker)
{
    return ((const struct stage_task *)worker->task)->argument;
}

/*
 * Measure one test and print its result. What it needs and is not there is made first. What it wrote is on the disk
 * afterwards (syncfs, outside the time), so that the next test does not meet its dirty pages. After a failure all is
 * removed: the next test begins with nothing.
 */
void stages_run(struct stages *stages, const struct stage *stage, const struct cell *cell);

/* Bytes on the disk for a directory, or for a file's inode and name; and for a file with its data. */
#define ENTRY_ROOM 4096U

static inline uint64_t stages_file_room(uint64_t size)
{
    return ENTRY_ROOM + (size + ENTRY_ROOM - 1) / ENTRY_ROOM * ENTRY_ROOM;
}

#endif
