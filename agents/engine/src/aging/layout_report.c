#include "aging/layout_report.h"

#include "aging/free_space_map.h"
#include "common.h"
#include "json.h"
#include "report.h"

#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

static void print_count(const char *name, uint64_t count)
{
    printf(",\"%s\":%" PRIu64, name, count);
}

/* Print a / b, or null if b is 0. */
static void print_ratio(const char *name, uint64_t a, uint64_t b)
{
    if (b)
        printf(",\"%s\":%.6g", name, (double)a / (double)b);
    else
        printf(",\"%s\":null", name);
}

static void print_text(const char *name, const char *reason)
{
    printf(",\"%s\":", name);
    if (reason)
        json_string(stdout, reason);
    else
        printf("null");
}

static void print_files(const struct layout *layout)
{
    bool known = !layout->reason;

    print_count("block_size", layout->block);
    print_count("files", layout->files);
    print_count("bytes", layout->bytes);
    print_count("files_measured", layout->measured);
    print_count("files_without_blocks", layout->empty);
    print_count("files_skipped", layout->skipped);
    print_count("directories_skipped", layout->directories_skipped);
    print_count("extents", layout->extents);
    print_count("allocated_bytes", layout->allocated);
    print_ratio("extents_per_file", layout->extents, known ? layout->measured : 0);
    print_ratio("mean_extent_bytes", layout->allocated, known ? layout->extents : 0);
    print_count("fragmented_files", layout->fragmented);
    print_ratio("fragmented_share", layout->fragmented, known ? layout->measured : 0);
    print_ratio("layout_score", layout->adjacent, known ? layout->pairs : 0);
    print_text("files_reason", layout->reason);
}

static void print_space(const struct free_space *space)
{
    const char *separator = "";

    print_text("free_method", space->method);
    if (!space->method) {
        printf(",\"free_bytes\":null,\"free_fragments\":null,\"mean_free_bytes\":null,\"largest_free_bytes\":null,"
               "\"free_histogram\":null");
        print_text("free_reason", space->reason);
        return;
    }
    print_count("free_bytes", space->bytes);
    print_count("free_fragments", space->fragments);
    print_ratio("mean_free_bytes", space->bytes, space->fragments);
    print_count("largest_free_bytes", space->largest);
    printf(",\"free_histogram\":[");
    for (unsigned i = 0; i < FREE_SPACE_CLASSES; i++) {
        if (!space->extents_of[i])
            continue;
        printf("%s{\"from\":%" PRIu64 ",\"extents\":%" PRIu64 ",\"bytes\":%" PRIu64 "}", separator, UINT64_C(1) << i,
               space->extents_of[i], space->bytes_of[i]);
        separator = ",";
    }
    printf("]");
    print_text("free_reason", NULL);
}

void layout_report(struct session *session, const char *when, const struct layout *layout,
                   const struct free_space *space)
{
    printf("{\"type\":\"layout\",\"repetition\":%" PRIu64, session->repetition);
    print_text("when", when);
    print_files(layout);
    print_space(space);
    printf("}\n");
    session->lines_lost = !report_flush() || session->lines_lost;
}

bool layout_tell(struct session *session, const char *when, int directory, bool may_probe)
{
    struct layout layout;
    struct free_space space;

    syncfs(directory);
    if (!layout_measure(&layout, directory) ||
        !free_space_measure(&space, directory, may_probe, common.min_free))
        return false;
    layout_report(session, when, &layout, &space);
    return true;
}
