#include "sweep/flight.h"

#include "sweep/paced.h"
#include "sweep/record.h"
#include "sweep/settings.h"

#include <errno.h>
#include <stdlib.h>

#define NO_TIMEOUT UINT64_MAX

/* The operations to come. */
struct coming {
    struct records records;
    bool paced;
    struct arrivals arrivals; /* if paced */
    struct pace *pace;
    uint64_t end;             /* if not paced: in ticks; UINT64_MAX: no end but that of the records */
};

static struct flight *flight_of(const struct worker *worker)
{
    const struct transfer *transfer = worker->task;

    return &transfer->flights[worker->index];
}

static bool writes(const struct worker *worker)
{
    const struct transfer *transfer = worker->task;

    return transfer->operation->writes;
}

static unsigned depth(void)
{
    return (unsigned)sweep_settings.depth;
}

uint64_t flight_bytes(uint64_t record_size)
{
    return data_stride(record_size) * sweep_settings.depth;
}

bool flight_open(struct worker *worker, struct failure *failure)
{
    struct flight *flight = flight_of(worker);
    bool from_pool = writes(worker) && !sweep_settings.verify;
    const struct ring_use use = {
        .file = access_of(worker)->file,
        .writes = writes(worker),
        .registered = sweep_settings.registered,
        .memory = from_pool ? worker->data.pool : worker->data.target,
        .size = from_pool ? worker->data.pool_size : worker->data.target_size,
        .depth = depth(),
    };

    *flight = (struct flight){.ring.file = -1, .idle_count = depth()};
    flight->slots = calloc(depth(), sizeof *flight->slots);
    flight->idle = calloc(depth(), sizeof *flight->idle);
    if (flight->slots && flight->idle) {
        for (unsigned i = 0; i < depth(); i++)
            flight->idle[i] = depth() - 1 - i; /* the first slot is taken first */
        if (ring_open(&flight->ring, &use, failure))
            return true;
    } else {
        failure_set_error(failure, "calloc", ENOMEM, "", 0);
    }
    flight_close(worker);
    return false;
}

void flight_close(struct worker *worker)
{
    struct flight *flight = flight_of(worker);

    ring_close(&flight->ring);
    free(flight->slots);
    free(flight->idle);
    *flight = (struct flight){.ring.file = -1};
}

/*
 * Memory with the data of a record to write. No slot uses the place of another in the pool, whose record may be in
 * flight. A slot goes through all of its own places, so that what a file system compresses is not one record repeated.
 */
static unsigned char *to_write(struct worker *worker, unsigned number, uint64_t offset)
{
    const struct transfer *transfer = worker->task;
    struct data *data = &worker->data;
    struct slot *slot = &flight_of(worker)->slots[number];
    size_t size = (size_t)transfer->record_size;
    size_t stride = data_stride(size);
    size_t turns = data->pool_size / stride / depth();
    unsigned char *memory = data->pool + (slot->turn * depth() + number) * stride;

    if (sweep_settings.verify) {
        memory = data->target + number * stride;
        record_pattern(worker, memory, offset);
        return memory;
    }
    if (sweep_settings.same_record)
        return data->pool;
    if (transfer->operation->pattern != PATTERN_SAME) /* which writes from one place, too */
        slot->turn = slot->turn + 1 < turns ? slot->turn + 1 : 0;
    data_stamp(data, memory, size);
    return memory;
}

/* Queue the record of an operation that has begun, in an idle slot. */
static void take_off(struct worker *worker, uint64_t offset, uint64_t begun)
{
    const struct transfer *transfer = worker->task;
    struct flight *flight = flight_of(worker);
    unsigned number = flight->idle[--flight->idle_count];
    struct slot *slot = &flight->slots[number];
    size_t size = (size_t)transfer->record_size;

    worker_sequence(worker, file_number(worker), offset);
    slot->offset = offset;
    slot->begun = begun;
    slot->done = 0;
    slot->memory = transfer->operation->writes ? to_write(worker, number, offset)
                                               : worker->data.target + number * data_stride(size);
    ring_queue(&flight->ring, number, slot->memory, size, offset);
}

/* Continue a record that the kernel has cut short, or report its failure; as move_rest() of the other engine. */
__attribute__((cold, noinline)) static bool fly_on(struct worker *worker, unsigned number, ssize_t moved)
{
    const struct transfer *transfer = worker->task;
    struct flight *flight = flight_of(worker);
    struct slot *slot = &flight->slots[number];
    bool again = moved > 0 || (moved == -EINTR && worker_goes_on(worker));

    slot->done += moved > 0 ? (size_t)moved : 0;
    if (!again) {
        flight->idle[flight->idle_count++] = number;
        return failed(&worker->failure) || /* the first failure is the one to report */
               worker_fail_error(worker, writes(worker) ? "write" : "read", (int)-moved, access_of(worker)->name,
                                 slot->offset + slot->done);
    }
    ring_queue(&flight->ring, number, slot->memory + slot->done, (size_t)transfer->record_size - slot->done,
               slot->offset + slot->done);
    return true;
}

/* Count the records that have arrived. False: one has failed; the others still count as landed. */
static bool land(struct worker *worker)
{
    const struct transfer *transfer = worker->task;
    struct flight *flight = flight_of(worker);
    const size_t size = (size_t)transfer->record_size;
    const bool verifies = sweep_settings.verify && !transfer->operation->writes;
    bool right = true;
    unsigned number;
    ssize_t moved;

    while (ring_take(&flight->ring, &number, &moved)) {
        const struct slot *slot = &flight->slots[number];

        if (moved != (ssize_t)(size - slot->done)) {
            right = fly_on(worker, number, moved) && right;
            continue;
        }
        worker->before = slot->begun;
        worker_count(worker, 0, size);
        flight->idle[flight->idle_count++] = number;
        if (verifies && right) {
            right = record_verify(worker, slot->memory, slot->offset);
            worker_begin(worker);
        }
    }
    return right;
}

/* Wait until nothing is in flight, after a failure or a signal: the kernel still uses the memory. */
static void land_all(struct worker *worker)
{
    struct flight *flight = flight_of(worker);

    while (flight->idle_count < depth()) {
        if (!ring_enter(&flight->ring, 1, NO_TIMEOUT) && errno != EINTR)
            return;
        land(worker);
    }
}

static struct coming coming_of(const struct worker *worker)
{
    const struct transfer *transfer = worker->task;
    struct coming coming = {.records = records_of(worker), .paced = transfer->paces, .end = UINT64_MAX};

    if (coming.paced) {
        coming.arrivals = arrivals_make(worker, coming.records.left);
        coming.pace = &transfer->paces[worker->index];
        *coming.pace = (struct pace){0};
    } else if (sweep_settings.seconds > 0) {
        coming.end = worker->before + (uint64_t)(sweep_settings.seconds * 1e9 / clock_ns_per_tick());
    }
    return coming;
}

/* Whether another operation is to come, now or later. The job has a deadline only after it was steady. */
static bool more(const struct worker *worker, struct coming *coming)
{
    if (!worker_has_time(worker))
        return false;
    if (coming->paced)
        return paced_more(&coming->arrivals, &coming->records, coming->pace);
    return coming->records.left && (coming->end == UINT64_MAX || clock_ticks() < coming->end);
}

/*
 * Begin the operations that can begin: as many as are to come and as have idle slots. `wait_ns` is the time until the
 * next one arrives; NO_TIMEOUT if none can begin before another lands. False: stopped.
 */
static bool begin(struct worker *worker, struct coming *coming, uint64_t *wait_ns)
{
    struct flight *flight = flight_of(worker);

    *wait_ns = NO_TIMEOUT;
    while (flight->idle_count && more(worker, coming)) {
        uint64_t arrived = coming->paced ? arrivals_next(&coming->arrivals) : worker->before;

        if (!worker_goes_on(worker))
            return false;
        if (coming->paced && clock_ticks() < arrived) {
            *wait_ns = arrivals_sleep_ns(arrived);
            return true;
        }
        take_off(worker,
                 coming->paced ? paced_take(&coming->arrivals, &coming->records, coming->pace)
                               : records_next(&coming->records),
                 arrived);
    }
    return true;
}

/* Submit what has begun, and wait for records to land, at most until the next operation arrives. False: failed. */
static bool fly(struct worker *worker, const struct coming *coming, uint64_t wait_ns)
{
    struct flight *flight = flight_of(worker);
    unsigned flying = depth() - flight->idle_count;
    unsigned least = (unsigned)sweep_settings.batch < flying ? (unsigned)sweep_settings.batch : flying;

    if (coming->paced)
        least = wait_ns > 0;
    if (!ring_enter(&flight->ring, least, wait_ns == 0 ? NO_TIMEOUT : wait_ns) && errno != EINTR)
        return worker_fail(worker, "io_uring_enter", access_of(worker)->name, 0);
    return land(worker);
}

static bool fly_all(struct worker *worker)
{
    struct flight *flight = flight_of(worker);
    struct coming coming = coming_of(worker);
    uint64_t wait_ns;

    for (;;) {
        if (!begin(worker, &coming, &wait_ns))
            return false;
        if (flight->idle_count < depth()) {
            if (!fly(worker, &coming, wait_ns))
                return false;
        } else if (!more(worker, &coming)) {
            return true;
        } else if (coming.paced && !arrivals_wait(worker, arrivals_next(&coming.arrivals))) {
            return false;
        }
    }
}

bool flight_run(struct worker *worker)
{
    bool done = fly_all(worker);

    if (!done)
        land_all(worker);
    return done;
}
