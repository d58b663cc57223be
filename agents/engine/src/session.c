#include "session.h"

#include "common.h"
#include "interactive.h"
#include "memory.h"
#include "report.h"
#include "size.h"
#include "stop.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#define SETTLE_ROUNDS 10U
#define SETTLE_PAUSE_NS 10000000 /* 10 ms */

bool session_goes_on(const struct session *session)
{
    return !stop_requested() && !session->lines_lost && !session->refused;
}

void session_progress(struct session *session, const char *format, ...)
{
    va_list arguments;

    session->number++;
    if (session->total)
        fprintf(stderr, "%u/%u ", session->number, session->total);
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    putc('\n', stderr);
}

/* Count a printed line, and check that stdout is still open. */
static void sent(struct session *session, bool ok)
{
    session->results++;
    session->failed += !ok;
    session->lines_lost = !report_flush() || session->lines_lost;
}

/* The latencies of the interactive job during this measurement: one line per step. */
static void report_interactive(struct session *session, const struct cell *during,
                               const struct measurement *measurement)
{
    struct failure failure;
    const struct counter *counters = interactive_counters(&failure);
    char params[256];
    struct cell cell = {.file_size = during->file_size, .record_size = during->record_size, .params = params};

    if (!counters)
        return;
    snprintf(params, sizeof params, "\"during\":\"%s\"%s%s", during->test, during->params ? "," : "",
             during->params ? during->params : "");
    for (unsigned step = 0; step < INTERACTIVE_STEPS; step++) {
        cell.test = interactive_names[step];
        if (failed(&failure))
            report_failure(session, &cell, 1, &failure);
        else if (counters[step].operations)
            report_counter(session, &cell, 1, measurement->elapsed_ns, &counters[step]);
        else
            return; /* the workload ended before a job was due */
        sent(session, !failed(&failure));
    }
}

void session_report(struct session *session, const struct cell *cell, const struct measurement *measurement)
{
    if (measurement->outcome == OUTCOME_STOPPED)
        return;
    if (measurement->outcome == OUTCOME_FAILED) {
        session_report_failure(session, cell, measurement->threads, &measurement->failure);
        return;
    }
    report_measurement(session, cell, measurement);
    sent(session, true);
    report_interactive(session, cell, measurement);
}

void session_report_kind(struct session *session, const struct cell *cell, const struct measurement *measurement,
                         unsigned kind)
{
    if (measurement->outcome != OUTCOME_OK)
        return;
    report_counter(session, cell, measurement->threads, measurement->elapsed_ns, &measurement->counters[kind]);
    sent(session, true);
}

void session_report_failure(struct session *session, const struct cell *cell, unsigned threads,
                            const struct failure *failure)
{
    report_failure(session, cell, threads, failure);
    sent(session, false);
}

/*
 * The space of files that were just removed may not be free yet: btrfs frees it at the next commit, and xfs in the
 * background. Wait for it only if it is needed.
 */
static uint64_t settled_free_bytes(const struct session *session, uint64_t enough)
{
    const struct timespec pause = {.tv_nsec = SETTLE_PAUSE_NS};
    uint64_t free_bytes = workspace_free_bytes(&session->workspace);

    for (unsigned i = 0; i < SETTLE_ROUNDS && free_bytes < enough && !stop_requested(); i++) {
        if (syncfs(session->workspace.directory))
            break; /* later writes will fail with the error */
        nanosleep(&pause, NULL);
        free_bytes = workspace_free_bytes(&session->workspace);
    }
    return free_bytes;
}

bool session_refuse(struct session *session, const char *format, ...)
{
    va_list arguments;

    fputs("fsload: refused: ", stderr);
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    putc('\n', stderr);
    session->refused = true;
    return false;
}

static bool has_inodes(struct session *session, uint64_t entries)
{
    uint64_t inodes = workspace_free_inodes(&session->workspace);

    return entries <= inodes || session_refuse(session, "%" PRIu64 " files and directories are more than the %" PRIu64
                                               " inodes that are free", entries, inodes);
}

bool session_room(struct session *session, uint64_t bytes, uint64_t entries)
{
    uint64_t enough = bytes > UINT64_MAX - common.min_free ? UINT64_MAX : bytes + common.min_free;
    uint64_t free_bytes = settled_free_bytes(session, enough);
    char text[3][SIZE_TEXT_LENGTH];

    if (free_bytes >= enough)
        return has_inodes(session, entries);
    size_print(text[0], bytes);
    size_print(text[1], common.min_free);
    size_print(text[2], free_bytes);
    return session_refuse(session, "%s to write, and %s that must stay free, are more than the %s that are free",
                          text[0], text[1], text[2]);
}

/* Bytes for a crew: the kernel would grant more memory than there is, and kill a process that uses it. */
static uint64_t crew_bytes(uint64_t threads, unsigned kinds, uint64_t max_record)
{
    return threads * (2 * max_record + kinds * sizeof(struct counter) + SERIES_STEPS * sizeof(struct step)); /* at most 2^41 + 2^30 */
}

bool session_hire(struct session *session, struct crew *crew, uint64_t threads, unsigned kinds, uint64_t max_record)
{
    if (crew_bytes(threads, kinds, max_record) <= memory_bytes() / 2 &&
        crew_hire(crew, (unsigned)threads, kinds, (size_t)max_record))
        return true;
    return session_refuse(session, "not enough memory for %" PRIu64 " threads", threads);
}
