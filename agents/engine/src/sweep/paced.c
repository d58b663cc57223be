#include "sweep/paced.h"

#include "sweep/record.h"

/*
 * Count the operations that have arrived and that the device had no time for: all of an overloaded test, or none. The
 * arrivals continue until now, so that what was due does not depend on the speed of the device.
 */
static void count_missed(struct arrivals *arrivals, struct records *records, uint64_t now, struct pace *pace)
{
    pace->overloaded = true;
    pace->behind = now - arrivals_next(arrivals);
    for (; records->left && !arrivals_ended(arrivals) && arrivals_next(arrivals) <= now; pace->due++) {
        arrivals_pass(arrivals);
        records->left -= records->left != UINT64_MAX;
    }
}

bool paced_more(struct arrivals *arrivals, struct records *records, struct pace *pace)
{
    uint64_t due = arrivals_next(arrivals);
    uint64_t now = clock_ticks();

    if (!records->left || arrivals_ended(arrivals))
        return false;
    if (now > due && now - due > arrivals->patience) {
        count_missed(arrivals, records, now, pace);
        return false;
    }
    return true;
}

uint64_t paced_take(struct arrivals *arrivals, struct records *records, struct pace *pace)
{
    pace->due++;
    pace->behind = clock_ticks() - arrivals_next(arrivals);
    arrivals_pass(arrivals);
    return records_next(records);
}

bool paced_run(struct worker *worker)
{
    const struct transfer *transfer = worker->task;
    struct records records = records_of(worker);
    struct arrivals arrivals = arrivals_make(worker, records.left);
    struct pace *pace = &transfer->paces[worker->index];

    *pace = (struct pace){0};
    while (worker_has_time(worker) && paced_more(&arrivals, &records, pace)) {
        uint64_t arrived = arrivals_next(&arrivals);
        uint64_t offset;

        if (!arrivals_wait(worker, arrived))
            return false;
        offset = paced_take(&arrivals, &records, pace);
        worker_sequence(worker, file_number(worker), offset);
        worker->before = arrived;
        if (!record_move(worker, offset, records_began(&records)))
            return false;
    }
    return true;
}
