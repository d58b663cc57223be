#include "sweep/record.h"

#include "sweep/settings.h"

struct access *access_of(const struct worker *worker)
{
    const struct transfer *transfer = worker->task;

    return &transfer->accesses[worker->index];
}

unsigned file_number(const struct worker *worker)
{
    return sweep_settings.shared_file ? 0 : worker->index;
}

void records_share(const struct worker *worker, uint64_t *first, uint64_t *count)
{
    const struct transfer *transfer = worker->task;
    uint64_t all = transfer->file_size / transfer->record_size;
    uint64_t parts = sweep_settings.shared_file ? sweep_settings.threads : 1;
    uint64_t part = sweep_settings.shared_file ? worker->index : 0;

    *first = all / parts * part + (part < all % parts ? part : all % parts);
    *count = all / parts + (part < all % parts);
}

struct records records_of(const struct worker *worker)
{
    const struct transfer *transfer = worker->task;
    struct records records = {.size = (size_t)transfer->record_size, .seed = random_mix(transfer->seed, worker->index)};
    uint64_t count;

    records_share(worker, &records.first, &count);
    records.order = order_make(transfer->operation->pattern, count, sweep_settings.stride, records.seed);
    records.left = count;
    if (sweep_is_limited())
        records.left = sweep_settings.operations ? sweep_settings.operations : UINT64_MAX;
    return records;
}

uint64_t records_next(struct records *records)
{
    if (records->order.next == records->order.count) {
        records->seed = random_mix(records->seed, records->order.count);
        records->order =
            order_make(records->order.pattern, records->order.count, records->order.stride, records->seed);
    }
    records->left -= records->left != UINT64_MAX;
    return (records->first + order_next(&records->order)) * records->size;
}

void record_pattern(struct worker *worker, unsigned char *record, uint64_t offset)
{
    const struct transfer *transfer = worker->task;

    data_pattern(record, (size_t)transfer->record_size, transfer->seed, file_number(worker), offset);
}

bool record_verify(struct worker *worker, const unsigned char *record, uint64_t offset)
{
    const struct transfer *transfer = worker->task;
    size_t size = (size_t)transfer->record_size;
    size_t wrong = data_verify(record, size, transfer->seed, file_number(worker), offset);

    return wrong == size || worker_fail_error(worker, "verify", 0, access_of(worker)->name, offset + wrong);
}
