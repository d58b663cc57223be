#include "sweep/transfer.h"

#include "common.h"
#include "sweep/flight.h"
#include "sweep/paced.h"
#include "sweep/record.h"
#include "sweep/settings.h"

#include <errno.h>
#include <unistd.h>

static bool prepare(struct worker *worker)
{
    const struct transfer *transfer = worker->task;
    struct access *access = access_of(worker);
    struct failure failure;
    struct failure second;

    if (access_open(access, transfer->directory, file_number(worker), transfer->operation, transfer->file_size,
                    transfer->record_size, &failure) &&
        (!transfer->flights || flight_open(worker, &failure)))
        return true;
    access_close(access, &second);
    return worker_pass_on(worker, &failure);
}

/*
 * Continue a record that the kernel has cut short, or report the failure. Separate from move(), because less code
 * between two system calls is faster: the few nanoseconds are measurable in the fastest test.
 */
__attribute__((cold, noinline)) static bool move_rest(struct worker *worker, struct access *access,
                                                      unsigned char *memory, size_t size, uint64_t offset,
                                                      ssize_t moved)
{
    size_t done = 0;

    for (;;) {
        done += moved > 0 ? (size_t)moved : 0;
        if (done == size)
            return true;
        if (moved == 0 || (moved < 0 && (errno != EINTR || !worker_goes_on(worker))))
            return worker_fail_error(worker, access_writes(access) ? "write" : "read", moved ? errno : 0, access->name,
                                     offset + done);
        moved = access_move(access, memory + done, size - done, offset + done);
    }
}

/* Read or write one whole record. */
static bool move(struct worker *worker, struct access *access, unsigned char *memory, size_t size, uint64_t offset)
{
    ssize_t moved = access_move(access, memory, size, offset);

    return moved == (ssize_t)size || move_rest(worker, access, memory, size, offset, moved);
}

/* The memory that all records move to or from; NULL if each written record has its own. */
static unsigned char *common_place(const struct worker *worker, const struct transfer *transfer)
{
    if (!transfer->operation->writes)
        return worker->data.target;
    return sweep_settings.same_record && !sweep_settings.verify ? worker->data.pool : NULL;
}

/* The memory and the data of the next record to write. */
static unsigned char *record_to_write(struct worker *worker, const struct transfer *transfer, uint64_t offset)
{
    size_t size = (size_t)transfer->record_size;

    if (sweep_settings.verify) {
        record_pattern(worker, worker->data.target, offset);
        worker_begin(worker);
        return worker->data.target;
    }
    if (transfer->operation->pattern == PATTERN_SAME)
        worker->data.next = 0; /* one record in one place: the hot spot that the test measures */
    return data_record(&worker->data, size);
}

static bool verify(struct worker *worker, uint64_t offset)
{
    if (!record_verify(worker, worker->data.target, offset))
        return false;
    worker_begin(worker);
    return true;
}

/*
 * Move all records of this thread, in the order of the operation. The end of one operation is the start of the next.
 * Values that the loop needs for each record are locals: the compiler must assume that a call changes the others.
 */
static bool move_all(struct worker *worker, struct access *access)
{
    const struct transfer *transfer = worker->task;
    const size_t size = (size_t)transfer->record_size;
    const bool verifies = sweep_settings.verify && !transfer->operation->writes;
    const bool seeks = access->seeks;
    const unsigned number = file_number(worker);
    unsigned char *const place = common_place(worker, transfer);
    uint64_t first;
    uint64_t count;
    struct order order;

    records_share(worker, &first, &count);
    order = order_make(transfer->operation->pattern, count, sweep_settings.stride,
                       random_mix(transfer->seed, worker->index));
    if (first && !access_go_to(access, first * size))
        return worker_fail(worker, "lseek", access->name, first * size);
    for (uint64_t i = 0; i < count; i++) {
        uint64_t offset = (first + order_next(&order)) * size;
        unsigned char *memory;

        if (!worker_goes_on(worker))
            return false;
        worker_sequence(worker, number, offset);
        memory = place ? place : record_to_write(worker, transfer, offset);
        if (seeks && lseek(access->file, (off_t)offset, SEEK_SET) < 0)
            return worker_fail(worker, "lseek", access->name, offset);
        if (!move(worker, access, memory, size, offset))
            return false;
        worker_count(worker, 0, size);
        if (verifies && !verify(worker, offset))
            return false;
    }
    return true;
}

bool record_move(struct worker *worker, uint64_t offset, bool jumps)
{
    const struct transfer *transfer = worker->task;
    struct access *access = access_of(worker);
    size_t size = (size_t)transfer->record_size;
    uint64_t arrived = worker->before;
    unsigned char *memory = common_place(worker, transfer);

    memory = memory ? memory : record_to_write(worker, transfer, offset);
    worker->before = arrived;
    if ((access->seeks || jumps) && !access_go_to(access, offset))
        return worker_fail(worker, "lseek", access->name, offset);
    if (!move(worker, access, memory, size, offset))
        return false;
    worker_count(worker, 0, size);
    return transfer->operation->writes || !sweep_settings.verify || record_verify(worker, worker->data.target, offset);
}

/* Move all records in the way of the transfer. */
static bool move_records(struct worker *worker, struct access *access)
{
    const struct transfer *transfer = worker->task;

    if (transfer->flights)
        return flight_run(worker);
    return transfer->paces ? paced_run(worker) : move_all(worker, access);
}

/* Make the calls that the options include at the end of the time. */
static bool end(struct worker *worker, struct access *access)
{
    const struct transfer *transfer = worker->task;
    struct failure failure;

    if (!access_flush(access, &failure))
        return worker_pass_on(worker, &failure);
    if (transfer->operation->writes && sweep_settings.fsync && !access_sync(access, &failure))
        return worker_pass_on(worker, &failure);
    if (sweep_settings.close && !access_close(access, &failure))
        return worker_pass_on(worker, &failure);
    return true;
}

static bool run(struct worker *worker)
{
    struct access *access = access_of(worker);
    sigjmp_buf guard;
    bool done;

    if (!access->map)
        return move_records(worker, access) && end(worker, access);
    if (sigsetjmp(guard, 1)) {
        access_guard(NULL);
        return worker_fail_error(worker, "memcpy", EIO, access->name, 0);
    }
    access_guard(&guard);
    done = move_all(worker, access) && end(worker, access);
    access_guard(NULL);
    return done;
}

/*
 * Write back and close, outside the time, so that the next test has no dirty pages of this one. A failure here is still
 * the test's failure: its data did not reach the disk.
 */
static bool finish(struct worker *worker)
{
    const struct transfer *transfer = worker->task;
    struct access *access = access_of(worker);
    struct failure failure;
    bool sync = transfer->operation->writes && !sweep_settings.fsync && access->file >= 0 && worker->complete;

    if (transfer->flights)
        flight_close(worker);
    if (sync && !access_sync(access, &failure)) {
        struct failure second;

        access_close(access, &second);
        return worker_pass_on(worker, &failure);
    }
    return access_close(access, &failure) || !worker->complete || worker_pass_on(worker, &failure);
}

struct job transfer_job(struct transfer *transfer)
{
    return (struct job){.kinds = 1, .prepare = prepare, .run = run, .finish = finish, .task = transfer,
                        .until_steady = transfer->until_steady};
}
