#include "report.h"

#include "json.h"
#include "size.h"
#include "version.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static void print_sizes(const char *name, const struct sizes *sizes)
{
    printf("\"%s\":[", name);
    for (size_t i = 0; i < sizes->count; i++)
        printf("%s%" PRIu64, i ? "," : "", sizes->at[i]);
    printf("],");
}

static void print_bool(const char *name, bool value)
{
    printf("\"%s\":%s", name, value ? "true" : "false");
}

void report_header(const struct options *options, int argc, char *const *argv)
{
    printf("{\"type\":\"header\",\"schema\":\"" FSLOAD_SCHEMA "\",\"version\":\"" FSLOAD_VERSION "\",\"command\":[");
    for (int i = 0; i < argc; i++) {
        fputs(i ? "," : "", stdout);
        json_string(stdout, i ? argv[i] : "fsload");
    }
    printf("],\"clock\":{\"name\":\"" CLOCK_NAME "\",\"resolution_ns\":%" PRIu64 "},\"parameters\":{",
           clock_resolution_ns());
    print_sizes("file_sizes", &options->file_sizes);
    print_sizes("record_sizes", &options->record_sizes);
    printf("\"tests\":[");
    for (size_t i = 0; i < options->tests_count; i++)
        printf("%s\"%s\"", i ? "," : "", options->tests[i]->name);
    printf("],\"threads\":%u,\"repetitions\":%u,\"seed\":%" PRIu64 ",\"min_free\":%" PRIu64 ",", options->threads,
           options->repetitions, options->seed, options->min_free);
    print_bool("fsync", options->fsync);
    putchar(',');
    print_bool("direct", options->direct);
    printf("}}\n");
}

static void print_failure(const struct failure *failure)
{
    printf("\"status\":\"failed\",\"error\":{\"call\":\"%s\",\"errno\":%d,\"message\":", failure->call, failure->error);
    json_string(stdout, failure->error ? strerror(failure->error) : "unexpected end of file");
    printf(",\"file\":\"%s\",\"offset\":%" PRIu64 "}}\n", failure->file, failure->offset);
}

static void print_latencies(const struct histogram *latencies)
{
    printf("\"latency_ns\":{\"mean\":%" PRIu64 ",\"p50\":%" PRIu64 ",\"p90\":%" PRIu64 ",\"p99\":%" PRIu64
           ",\"p999\":%" PRIu64 ",\"max\":%" PRIu64 "}",
           histogram_mean(latencies), histogram_quantile(latencies, 500), histogram_quantile(latencies, 900),
           histogram_quantile(latencies, 990), histogram_quantile(latencies, 999), latencies->max);
}

void report_result(const struct options *options, const struct cell *cell, unsigned repetition,
                   const struct measurement *measurement)
{
    printf("{\"type\":\"result\",\"repetition\":%u,\"test\":\"%s\",\"file_size\":%" PRIu64 ",\"record_size\":%" PRIu64
           ",\"threads\":%u,",
           repetition, cell->operation->name, cell->file_size, cell->record_size, options->threads);
    if (measurement->outcome != OUTCOME_OK) {
        print_failure(&measurement->failure);
        return;
    }
    printf("\"status\":\"ok\",\"operations\":%" PRIu64 ",\"bytes\":%" PRIu64 ",\"elapsed_ns\":%" PRIu64
           ",\"cpu_ns\":%" PRIu64 ",\"user_ns\":%" PRIu64 ",\"system_ns\":%" PRIu64 ",",
           measurement->operations, measurement->bytes, measurement->elapsed_ns, measurement->cpu.total_ns,
           measurement->cpu.user_ns, measurement->cpu.system_ns);
    print_latencies(&measurement->latencies);
    printf("}\n");
}

void report_end(unsigned results, unsigned failed, int signal)
{
    printf("{\"type\":\"end\",\"results\":%u,\"failed\":%u,\"signal\":", results, failed);
    if (signal)
        printf("%d}\n", signal);
    else
        printf("null}\n");
}

void report_progress(unsigned number, unsigned total, const struct cell *cell)
{
    char file_size[SIZE_TEXT_LENGTH];
    char record_size[SIZE_TEXT_LENGTH];

    size_print(file_size, cell->file_size);
    size_print(record_size, cell->record_size);
    fprintf(stderr, "%u/%u %s %s in records of %s\n", number, total, cell->operation->name, file_size, record_size);
}

bool report_flush(void)
{
    return fflush(stdout) == 0 && !ferror(stdout);
}
