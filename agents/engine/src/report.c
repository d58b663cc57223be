#include "report.h"

#include "common.h"
#include "hdr.h"
#include "json.h"
#include "version.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <sys/sysinfo.h>

void report_header(const struct command *command, int argc, char *const *argv)
{
    printf("{\"type\":\"header\",\"schema\":\"" FSLOAD_SCHEMA "\",\"version\":\"" FSLOAD_VERSION "\",\"command\":[");
    for (int i = 0; i < argc; i++) {
        fputs(i ? "," : "", stdout);
        json_string(stdout, i ? argv[i] : "fsload");
    }
    printf("],\"clock\":{\"name\":\"" CLOCK_NAME "\",\"resolution_ns\":%" PRIu64 ",\"latencies\":\"%s\"},",
           clock_resolution_ns(), clock_has_tsc ? "TSC" : CLOCK_NAME);
    printf("\"cpus\":%d,\"parameters\":{\"command\":\"%s\",", get_nprocs(), command->name);
    options_print_json(&common_options);
    if (command->options->count)
        putchar(',');
    options_print_json(command->options);
    if (command->argument) {
        printf(",\"%s\":", command->argument_name);
        json_string(stdout, *command->argument);
    }
    if (command->describe)
        command->describe();
    printf("}}\n");
}

static void print_cell(const struct session *session, const struct cell *cell, unsigned threads)
{
    printf("{\"type\":\"result\",\"repetition\":%" PRIu64 ",\"test\":\"%s\"", session->repetition, cell->test);
    if (cell->file_size)
        printf(",\"file_size\":%" PRIu64, cell->file_size);
    if (cell->record_size)
        printf(",\"record_size\":%" PRIu64, cell->record_size);
    printf(",\"threads\":%u", threads);
    if (cell->params)
        printf(",\"params\":{%s}", cell->params);
    if (cell->facts)
        printf(",%s", cell->facts);
}

/* Convert a latency from ticks to nanoseconds. */
static uint64_t scaled(double ticks, double ns_per_tick)
{
    return (uint64_t)llround(ticks * ns_per_tick);
}

static void print_latencies(const struct histogram *latencies, double ns)
{
    static const struct {
        const char *name;
        unsigned per_myriad;
    } quantiles[] = {{"p50", 5000}, {"p90", 9000}, {"p99", 9900}, {"p999", 9990}, {"p9999", 9999}};

    if (!latencies->count || common.no_latencies) { /* a job with a duration reads the clock anyway */
        printf(",\"latency_ns\":null");
        return;
    }
    printf(",\"latency_ns\":{\"mean\":%" PRIu64, scaled(histogram_mean(latencies), ns));
    for (size_t i = 0; i < sizeof quantiles / sizeof quantiles[0]; i++)
        printf(",\"%s\":%" PRIu64, quantiles[i].name,
               scaled((double)histogram_quantile(latencies, quantiles[i].per_myriad), ns));
    printf(",\"max\":%" PRIu64 ",\"histogram\":\"", scaled((double)latencies->max, ns));
    hdr_print(stdout, latencies, ns);
    printf("\"}");
}

static void print_steady(const struct measurement *measurement)
{
    if (measurement->until_steady && measurement->steady_ns)
        printf(",\"steady_state_ns\":%" PRIu64, measurement->steady_ns);
    else if (measurement->until_steady)
        printf(",\"steady_state_ns\":null");
}

static void print_series(const struct measurement *measurement, double ns)
{
    const struct series *series = measurement->series;

    if (!series || series->count < SERIES_LEAST_STEPS)
        return;
    printf(",\"series\":{\"start_ns\":%" PRIu64 ",\"step_ns\":%" PRIu64, measurement->start_ns,
           scaled((double)series->width, ns));
    printf(",\"steps\":[");
    for (unsigned i = 0; i < series->count; i++)
        printf("%s[%" PRIu64 ",%" PRIu64 ",%" PRIu64 "]", i ? "," : "", series->steps[i].operations,
               series->steps[i].bytes, scaled((double)series->steps[i].longest, ns));
    printf("]}");
}

static void print_counts(const struct counter *counter, uint64_t elapsed_ns)
{
    printf(",\"status\":\"ok\",\"operations\":%" PRIu64 ",\"bytes\":%" PRIu64 ",\"elapsed_ns\":%" PRIu64,
           counter->operations, counter->bytes, elapsed_ns);
}

static void print_cpu(const struct cpu_time *cpu, uint64_t elapsed_ns)
{
    double of_one = elapsed_ns ? (double)cpu->total_ns / (double)elapsed_ns : 0;

    printf(",\"cpu_ns\":%" PRIu64 ",\"user_ns\":%" PRIu64 ",\"system_ns\":%" PRIu64, cpu->total_ns, cpu->user_ns,
           cpu->system_ns);
    printf(",\"cpu_of_one_core\":%.4f,\"cpu_of_all_cores\":%.4f", of_one, of_one / get_nprocs());
}

static void print_device(const struct device_bytes *device)
{
    if (device->known)
        printf(",\"device_read_bytes\":%" PRIu64 ",\"device_write_bytes\":%" PRIu64, device->read, device->written);
    else
        printf(",\"device_read_bytes\":null,\"device_write_bytes\":null");
}

void report_measurement(const struct session *session, const struct cell *cell, const struct measurement *measurement)
{
    static struct counter total; /* too large for a stack: it holds a histogram */
    double ns = clock_ns_per_tick();

    measurement_total(measurement, &total);
    print_cell(session, cell, measurement->threads);
    print_counts(&total, measurement->elapsed_ns);
    print_cpu(&measurement->cpu, measurement->elapsed_ns);
    print_device(&measurement->device);
    printf(",\"sequence\":\"%016" PRIx64 "\"", measurement->sequence);
    print_latencies(&total.latencies, ns);
    print_steady(measurement);
    print_series(measurement, ns);
    printf("}\n");
}

void report_counter(const struct session *session, const struct cell *cell, unsigned threads, uint64_t elapsed_ns,
                    const struct counter *counter)
{
    print_cell(session, cell, threads);
    print_counts(counter, elapsed_ns);
    print_latencies(&counter->latencies, clock_ns_per_tick());
    printf("}\n");
}

void report_failure(const struct session *session, const struct cell *cell, unsigned threads,
                    const struct failure *failure)
{
    print_cell(session, cell, threads);
    printf(",\"status\":\"failed\",\"error\":{\"call\":\"%s\",\"errno\":%d,\"message\":", failure->call, failure->error);
    json_string(stdout, failure_message(failure));
    printf(",\"file\":");
    json_string(stdout, failure->file);
    printf(",\"offset\":%" PRIu64 "}}\n", failure->offset);
}

void report_end(const struct session *session, int signal)
{
    printf("{\"type\":\"end\",\"results\":%u,\"failed\":%u,\"signal\":", session->results, session->failed);
    if (signal)
        printf("%d", signal);
    else
        printf("null");
    if (session->workspace.keep) {
        printf(",\"kept\":");
        json_string(stdout, session->workspace.path);
    }
    printf("}\n");
}

bool report_flush(void)
{
    return fflush(stdout) == 0 && !ferror(stdout);
}
