#include "common.h"
#include "filebench/wml.h"

#include <inttypes.h>
#include <string.h>

/* Each counter of each thread is a histogram of 41 KB. */
#define MAX_COUNTERS_OF_THREADS 16384U

static void find_fileset(const struct wml *wml, struct wml_flowop *flowop, struct faults *faults)
{
    if (!flowop->fileset_name[0])
        return;
    for (unsigned i = 0; i < wml->fileset_count; i++)
        if (!strcmp(wml->filesets[i].name, flowop->fileset_name))
            flowop->fileset = (int)i;
    if (flowop->fileset < 0)
        faults_add(faults, flowop->line, "%s: no fileset is named %s", wml_kind_names[flowop->kind],
                   flowop->fileset_name);
}

static bool same_thread(const struct wml *wml, unsigned a, unsigned b)
{
    return a == b || (!strcmp(wml->threads[a].name, wml->threads[b].name) &&
                      !strcmp(wml->processes[wml->threads[a].process].name, wml->processes[wml->threads[b].process].name));
}

/* Assign a flowop's counter, shared by flowops of its kind and name in threads of the same name. */
static void number_counter(struct wml *wml, unsigned thread, unsigned number)
{
    struct wml_flowop *flowop = &wml->flowops[number];
    unsigned instances = (unsigned)wml_instances(wml, &wml->threads[thread]);
    bool ambiguous = false;

    for (unsigned i = 0; i < wml->counter_count; i++) {
        struct wml_counter *counter = &wml->counters[i];
        const struct wml_flowop *other = &wml->flowops[counter->flowop];

        if (other->kind != flowop->kind || strcmp(other->name, flowop->name))
            continue;
        if (same_thread(wml, counter->thread, thread)) {
            flowop->counter = i;
            counter->threads += counter->last == thread ? 0 : instances;
            counter->last = thread;
            return;
        }
        counter->ambiguous = ambiguous = true;
    }
    flowop->counter = wml->counter_count;
    wml->counters[wml->counter_count++] = (struct wml_counter){number, thread, thread, instances, ambiguous};
}

static void count_users(struct wml *wml, const struct wml_thread *thread)
{
    for (unsigned set = 0; set < wml->fileset_count; set++)
        for (unsigned i = thread->first; i < thread->first + thread->count; i++)
            if (wml->flowops[i].fileset == (int)set) {
                wml->filesets[set].users += (unsigned)wml_instances(wml, thread);
                break;
            }
}

static void check_thread(struct wml *wml, unsigned number, struct faults *faults)
{
    const struct wml_thread *thread = &wml->threads[number];
    unsigned before = faults->count;

    if (!thread->count)
        faults_add(faults, thread->line, "thread %s has no flowop that does anything", thread->name);
    if (wml->instances + wml_instances(wml, thread) > MAX_THREADS) {
        faults_add(faults, thread->line, "more than %u threads", MAX_THREADS);
        return;
    }
    wml->instances += (unsigned)wml_instances(wml, thread);
    for (unsigned i = thread->first; i < thread->first + thread->count; i++) {
        find_fileset(wml, &wml->flowops[i], faults);
        number_counter(wml, number, i);
    }
    count_users(wml, thread);
    if (before == faults->count)
        wml_check_order(wml, thread, faults);
}

void wml_check(struct wml *wml, struct faults *faults)
{
    if (faults->count) /* unparsed statements would cause further, misleading faults */
        return;
    for (unsigned i = 0; i < wml->thread_count; i++)
        if (wml_instances(wml, &wml->threads[i]))
            check_thread(wml, i, faults);
    if (!wml->instances)
        faults_add(faults, 1, "no thread runs");
    for (unsigned i = 0; i < wml->fileset_count; i++) {
        const struct wml_fileset *fileset = &wml->filesets[i];

        if (fileset->changes && fileset->entries < fileset->users)
            faults_add(faults, fileset->line, "fileset %s: %u threads create or delete files and cannot share %" PRIu64
                       " entries", fileset->name, fileset->users, fileset->entries);
    }
    if (wml->instances * wml->counter_count > MAX_COUNTERS_OF_THREADS)
        faults_add(faults, 1, "%u threads with %u flowops are too many to count", wml->instances, wml->counter_count);
}
