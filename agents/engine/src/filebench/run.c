#include "filebench/task.h"

#include "common.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

/* Choose a thread's positions in the filesets that it uses: in its own share, or at random in the common one. */
static void take_places(struct wml_task *task, struct wml_state *state, unsigned *ranks)
{
    struct random random = {random_mix(common.seed, (uint64_t)(state - task->states) + 1)};

    for (unsigned set = 0; set < task->wml->fileset_count; set++) {
        bool uses = false;
        struct wml_share *share;

        for (unsigned i = 0; i < state->thread->count; i++)
            uses = uses || task->wml->flowops[state->thread->first + i].fileset == (int)set;
        if (!uses)
            continue;
        share = &task->sets[set].shares[ranks[set]++ % task->sets[set].share_count];
        state->views[set] = (struct wml_view){share, random_below(&random, share->count),
                                              random_below(&random, share->count)};
    }
}

struct wml_state *wml_states_make(struct wml_task *task)
{
    const struct wml *wml = task->wml;
    unsigned ranks[WML_MAX_FILESETS] = {0};
    unsigned made = 0;

    task->states = aligned_alloc(64, wml->instances * sizeof *task->states);
    if (!task->states)
        return NULL;
    for (unsigned number = 0; number < wml->thread_count; number++)
        for (uint64_t i = 0; i < wml_instances(wml, &wml->threads[number]); i++) {
            struct wml_state *state = &task->states[made++];

            *state = (struct wml_state){.thread = &wml->threads[number], .task = task};
            for (unsigned slot = 0; slot < WML_SLOTS; slot++)
                state->slots[slot] = (struct wml_slot){.file = -1, .set = -1, .entry = -1};
            take_places(task, state, ranks);
        }
    return task->states;
}

/* No file is left: depending on the workload's mode, the run fails, ends, or ends for this thread only. */
static bool out_of_files(struct worker *worker, struct wml_task *task, const struct wml_flowop *flowop)
{
    if (task->wml->mode == WML_TIMEOUT)
        return worker_fail_error(worker, wml_kind_names[flowop->kind],
                                 flowop->kind == WML_CREATEFILE ? EEXIST : ENOENT, flowop->fileset_name, 0);
    if (task->wml->mode == WML_FIRSTDONE)
        atomic_store(&task->out_of_files, true);
    else
        atomic_fetch_add(&task->ended_early, 1);
    return true;
}

static bool goes_on(const struct worker *worker, const struct wml_state *state)
{
    const struct wml_task *task = state->task;

    return worker_goes_on(worker) && !atomic_load_explicit(&task->out_of_files, memory_order_relaxed) &&
           !space_over(&task->space) && (!task->operations || state->done < task->operations);
}

bool wml_run(struct worker *worker)
{
    const struct wml_task *task = worker->task;
    struct wml_state *state = &task->states[worker->index];
    const struct wml_flowop *first = &task->wml->flowops[state->thread->first];
    const struct wml_flowop *end = first + state->thread->count;

    for (const struct wml_flowop *flowop = first;; flowop = flowop + 1 == end ? first : flowop + 1)
        for (uint64_t i = 0; i < flowop->iterations; i++) {
            enum wml_outcome outcome;

            if (!goes_on(worker, state))
                return !stop_requested() && atomic_load(&worker->crew->first_failed) < 0;
            outcome = wml_operate(worker, state, flowop);
            if (outcome == WML_FAILED)
                return false;
            if (outcome == WML_NO_FILE)
                return out_of_files(worker, worker->task, flowop);
            state->done++; /* also without space, which ends the run before the next one */
        }
}

bool wml_finish(struct worker *worker)
{
    const struct wml_task *task = worker->task;
    struct wml_state *state = &task->states[worker->index];

    for (unsigned i = 0; i < WML_SLOTS; i++) {
        if (state->slots[i].file >= 0)
            close(state->slots[i].file);
        state->slots[i].file = -1;
    }
    return true;
}
