/* The state and the operations of the threads of a WML run. */
#ifndef FSLOAD_FILEBENCH_TASK_H
#define FSLOAD_FILEBENCH_TASK_H

#include "crew.h"
#include "space.h"
#include "filebench/fileset.h"

/* Slots for the files that fd= names; the files of opennext follow. */
#define WML_ROTATING (WML_MAX_FD + 1)
#define WML_SLOTS (2 * WML_ROTATING)

/* A file that a thread has open. */
struct wml_slot {
    int file;      /* -1: not open */
    int set;       /* of the file that is open or was open last; -1: none */
    int64_t entry; /* in that set */
    bool moved;    /* no longer at the start of the file */
};

struct wml_task;

struct wml_state {
    _Alignas(64) const struct wml_thread *thread;
    struct wml_task *task;
    struct wml_view views[WML_MAX_FILESETS];
    uint64_t done;      /* flowops */
    uint64_t allowance; /* bytes that it may write before it takes more */
    unsigned rotor;
    struct wml_slot slots[WML_SLOTS];
};

enum wml_end { WML_ENDED_BY_TIME, WML_ENDED_BY_OPERATIONS, WML_ENDED_BY_FILES, WML_ENDED_BY_SPACE };

struct wml_task {
    const struct wml *wml;
    struct wml_set *sets;
    struct wml_state *states; /* one per thread */
    uint64_t operations;      /* flowops of each thread; 0: no limit */
    struct space space;
    atomic_bool out_of_files; /* a thread found no file, which ends the run for all */
    atomic_uint ended_early;  /* threads that found no file, in the mode alldone */
};

/* The outcome of a flowop. The worker has the failure. */
enum wml_outcome { WML_DONE, WML_FAILED, WML_NO_FILE, WML_NO_SPACE };

/* Do a flowop once, and count it. */
enum wml_outcome wml_operate(struct worker *worker, struct wml_state *state, const struct wml_flowop *flowop);

/* States for all threads; NULL: not enough memory. */
struct wml_state *wml_states_make(struct wml_task *task);

/* The job's run and finish. */
bool wml_run(struct worker *worker);
bool wml_finish(struct worker *worker);

#endif
