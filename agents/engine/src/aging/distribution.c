#include "aging/distribution.h"

#include "size.h"
#include "text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define MAX_WEIGHT (UINT64_C(1) << 48) /* the sum of 256 does not overflow; exact as a double */
#define MAX_FIELDS 4U

const char *const distribution_names[] = {"size", "age", "depth"};

/* The position in the file, and the faults so far. */
struct reader {
    struct distribution *distribution;
    const char *rest; /* NULL at the end */
    unsigned line;
    uint64_t said; /* observations, according to the first line */
    struct faults faults;
};

/* The number of fields in the next line that is not empty, at most MAX_FIELDS; 0 at the end. */
static size_t next_line(struct reader *reader, const char *fields[MAX_FIELDS], size_t lengths[MAX_FIELDS])
{
    static const char space[] = " \t\r\v\f";

    while (reader->rest) {
        const char *at = reader->rest;
        const char *end = at + strcspn(at, "\n");
        size_t count = 0;

        reader->line++;
        reader->rest = *end ? end + 1 : NULL;
        for (at += strspn(at, space); at < end && count < MAX_FIELDS; at += strspn(at, space)) {
            fields[count] = at;
            lengths[count] = strcspn(at, " \t\r\v\f\n");
            at += lengths[count++];
        }
        if (count)
            return count;
    }
    return 0;
}

static bool field(struct reader *reader, const char *what, const char *text, size_t length, uint64_t max,
                  uint64_t *value)
{
    if (number_parse(text, length, max, value))
        return true;
    faults_add(&reader->faults, reader->line, "%s: not a whole number from 0 to %" PRIu64 ": %.*s", what, max,
               (int)(length < 40 ? length : 40), text);
    return false;
}

static void observation(struct reader *reader, size_t count, const char *const *fields, const size_t *lengths)
{
    static const uint64_t max[] = {UINT64_C(1) << 50, UINT64_C(1) << 50, MAX_DEPTH};
    struct distribution *distribution = reader->distribution;
    size_t wanted = distribution->kind == DISTRIBUTION_DEPTH ? 3 : 2;
    struct observation found = {0};

    if (count != wanted) {
        faults_add(&reader->faults, reader->line, "expected %zu numbers: %s, weight%s", wanted,
                   distribution_names[distribution->kind], wanted == 3 ? ", directories" : "");
        return;
    }
    if (!field(reader, distribution_names[distribution->kind], fields[0], lengths[0], max[distribution->kind],
               &found.value) ||
        !field(reader, "weight", fields[1], lengths[1], MAX_WEIGHT, &found.weight) ||
        (wanted == 3 && !field(reader, "directories", fields[2], lengths[2], MAX_DIRECTORIES, &found.directories)))
        return;
    if (distribution->count && found.value <= distribution->at[distribution->count - 1].value)
        faults_add(&reader->faults, reader->line, "%s %" PRIu64 " does not come after the one before",
                   distribution_names[distribution->kind], found.value);
    if (distribution->kind == DISTRIBUTION_AGE && !found.value)
        faults_add(&reader->faults, reader->line, "no file is of age 0");
    distribution->at[distribution->count++] = found;
    distribution->weight += found.weight;
}

/* Skip the notes after the observations. A number there was meant as an observation and is a fault. */
static void trailer(struct reader *reader)
{
    const char *fields[MAX_FIELDS];
    size_t lengths[MAX_FIELDS];
    uint64_t value;

    while (next_line(reader, fields, lengths))
        if (number_parse(fields[0], lengths[0], UINT64_MAX, &value))
            faults_add(&reader->faults, reader->line, "more than the %" PRIu64 " observations that the first line says",
                       reader->said);
}

static void whole(struct reader *reader)
{
    const struct distribution *distribution = reader->distribution;
    uint64_t directories = 0;

    for (size_t i = 0; i < distribution->count; i++)
        directories += distribution->at[i].directories;
    if (!distribution->weight)
        faults_add(&reader->faults, reader->line, "all weights are 0");
    if (distribution->kind == DISTRIBUTION_SIZE && distribution->count &&
        !distribution->at[distribution->count - 1].value)
        faults_add(&reader->faults, reader->line, "all files are empty");
    if (directories > MAX_DIRECTORIES)
        faults_add(&reader->faults, reader->line, "more than %u directories", MAX_DIRECTORIES);
}

bool distribution_parse(struct distribution *distribution, enum distribution_kind kind, const char *name,
                        const char *text)
{
    struct reader reader = {.distribution = distribution, .rest = text, .faults = {.path = name}};
    const char *fields[MAX_FIELDS];
    size_t lengths[MAX_FIELDS];
    size_t count = next_line(&reader, fields, lengths);

    *distribution = (struct distribution){.kind = kind};
    if (count != 1 || !number_parse(fields[0], lengths[0], MAX_OBSERVATIONS, &reader.said) || !reader.said) {
        faults_add(&reader.faults, reader.line, "expected the number of observations, from 1 to %u", MAX_OBSERVATIONS);
        return false;
    }
    for (uint64_t i = 0; i < reader.said; i++) {
        count = next_line(&reader, fields, lengths);
        if (!count || fields[0][0] == 'F') { /* "Format:", the heading of the notes */
            faults_add(&reader.faults, reader.line, "%" PRIu64 " observations where the first line says %" PRIu64, i,
                       reader.said);
            return false;
        }
        observation(&reader, count, fields, lengths);
    }
    trailer(&reader);
    if (!reader.faults.count)
        whole(&reader);
    return faults_none(&reader.faults);
}

bool distribution_read(struct distribution *distribution, enum distribution_kind kind, const char *path)
{
    char *text = text_read(path);
    bool right = text && distribution_parse(distribution, kind, path, text);

    free(text);
    return right;
}
