#include "series.h"

#include <stdlib.h>
#include <string.h>

bool series_allocate(struct series *series)
{
    series_stop(series);
    series->steps = calloc(SERIES_STEPS, sizeof *series->steps);
    return series->steps;
}

void series_free(struct series *series)
{
    free(series->steps);
    series->steps = NULL;
}

void series_stop(struct series *series)
{
    series->end = UINT64_MAX;
    series->width = 0;
    series->count = 0;
}

void series_start(struct series *series, uint64_t start, uint64_t width)
{
    series->end = start + width;
    series->width = width;
    series->count = 0;
}

static void add(struct step *into, const struct step *from)
{
    into->operations += from->operations;
    into->bytes += from->bytes;
    if (from->longest > into->longest)
        into->longest = from->longest;
}

/* Make one step of every two. The last step has just ended, so the next one begins at the end of a pair. */
static void halve(struct series *series)
{
    for (unsigned i = 0; i < SERIES_STEPS / 2; i++) {
        struct step pair = series->steps[2 * i];

        add(&pair, &series->steps[2 * i + 1]);
        series->steps[i] = pair;
    }
    series->count = SERIES_STEPS / 2;
    series->width *= 2;
}

void series_close(struct series *series, struct step work, uint64_t now)
{
    while (now >= series->end) {
        series->steps[series->count++] = work;
        work = (struct step){0};
        if (series->count == SERIES_STEPS)
            halve(series);
        series->end += series->width;
    }
}

void series_merge(struct series *into, const struct series *from)
{
    for (unsigned i = 0; i < into->count; i++)
        add(&into->steps[i], &from->steps[i]);
}
