/* fsload: measures reading and writing files. README.md says what each test does and what is printed. */
#include "options.h"
#include "report.h"
#include "size.h"
#include "stop.h"
#include "test.h"
#include "workspace.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { EXIT_TEST_FAILED = 1, EXIT_USAGE = 2, EXIT_REFUSED = 3, EXIT_SIGNAL = 128 };

struct tally {
    unsigned done;
    unsigned total;
    unsigned failed;
    bool lines_lost; /* nobody reads our stdout any more */
};

static unsigned count_tests(const struct options *options)
{
    unsigned pairs = 0;

    for (size_t f = 0; f < options->file_sizes.count; f++)
        for (size_t r = 0; r < options->record_sizes.count; r++)
            pairs += options_fits(options->file_sizes.at[f], options->record_sizes.at[r]);
    return pairs * (unsigned)options->tests_count * options->repetitions;
}

static bool enough_space(const struct options *options, const struct workspace *workspace)
{
    uint64_t free_bytes = workspace_free_bytes(workspace);
    uint64_t largest = 0;
    char text[3][SIZE_TEXT_LENGTH];

    for (size_t i = 0; i < options->file_sizes.count; i++)
        if (options->file_sizes.at[i] > largest)
            largest = options->file_sizes.at[i];
    if (options->min_free <= free_bytes && largest <= (free_bytes - options->min_free) / options->threads)
        return true;
    size_print(text[0], largest);
    size_print(text[1], options->min_free);
    size_print(text[2], free_bytes);
    fprintf(stderr, "fsload: refused: %u x %s, and %s that must stay free, are more than the %s that are free\n",
            options->threads, text[0], text[1], text[2]);
    return false;
}

/* All tests of one pair of sizes. */
static void run_tests(const struct options *options, struct crew *crew, struct workspace *workspace, struct cell cell,
                      unsigned repetition, struct tally *tally)
{
    static struct measurement measurement; /* too large for a stack: it holds a histogram */

    for (size_t t = 0; t < options->tests_count && !stop_requested() && !tally->lines_lost; t++) {
        cell.operation = options->tests[t];
        report_progress(tally->done + 1, tally->total, &cell);
        test_run(crew, workspace, options, &cell, &measurement);
        if (measurement.outcome == OUTCOME_STOPPED)
            return;
        report_result(options, &cell, repetition, &measurement);
        tally->lines_lost = !report_flush();
        tally->done++;
        tally->failed += measurement.outcome == OUTCOME_FAILED;
    }
}

static void run_all(const struct options *options, struct crew *crew, struct workspace *workspace, struct tally *tally)
{
    for (unsigned repetition = 0; repetition < options->repetitions; repetition++) {
        for (size_t f = 0; f < options->file_sizes.count; f++) {
            for (size_t r = 0; r < options->record_sizes.count; r++) {
                struct cell cell = {NULL, options->file_sizes.at[f], options->record_sizes.at[r]};

                if (options_fits(cell.file_size, cell.record_size))
                    run_tests(options, crew, workspace, cell, repetition, tally);
            }
        }
        workspace_clear(workspace); /* each repetition begins with nothing, as the first one did */
    }
}

static int exit_status(const struct tally *tally, bool removed)
{
    if (stop_requested())
        return EXIT_SIGNAL + stop_signal();
    return tally->failed || tally->lines_lost || !removed ? EXIT_TEST_FAILED : EXIT_SUCCESS;
}

static int run(const struct options *options, struct workspace *workspace, int argc, char **argv)
{
    struct tally tally = {.total = count_tests(options)};
    struct crew crew = {0};
    bool removed;

    if (!enough_space(options, workspace) || !crew_hire(&crew, options)) {
        if (!crew.workers && errno == ENOMEM)
            fprintf(stderr, "fsload: refused: not enough memory for %u threads\n", options->threads);
        workspace_remove(workspace);
        return EXIT_REFUSED;
    }
    report_header(options, argc, argv);
    tally.lines_lost = !report_flush();
    run_all(options, &crew, workspace, &tally);
    report_end(tally.done, tally.failed, stop_signal());
    tally.lines_lost = !report_flush() || tally.lines_lost;
    crew_dismiss(&crew);
    removed = workspace_remove(workspace);
    return exit_status(&tally, removed);
}

int main(int argc, char **argv)
{
    static struct options options;
    static struct workspace workspace;
    const char *call;

    switch (options_parse(&options, argc, argv)) {
    case PARSED_HELP:
        return EXIT_SUCCESS;
    case PARSED_ERROR:
        fputs("fsload: --help shows what is understood\n", stderr);
        return EXIT_USAGE;
    case PARSED_OPTIONS:
        break;
    }
    stop_on_signals();
    if (!workspace_open(&workspace, options.directory, options.threads, &call)) {
        fprintf(stderr, "fsload: %s in %s: %s\n", call, options.directory, strerror(errno));
        return EXIT_REFUSED;
    }
    return run(&options, &workspace, argc, argv);
}
