#include "ffsb/transfer.h"

#include "file.h"

#include <unistd.h>

#define ALIGNMENT UINT64_C(4096)

static bool interrupted(const struct worker *worker)
{
    return stop_requested() || atomic_load_explicit(&worker->crew->first_failed, memory_order_relaxed) >= 0;
}

static void count_pending(struct ffsb_transfer *transfer)
{
    if (transfer->pending)
        worker_count(transfer->worker, transfer->counter, transfer->pending_bytes);
    transfer->pending = false;
}

static bool move(struct ffsb_transfer *transfer, unsigned char *bytes, size_t size, uint64_t offset)
{
    size_t moved = transfer->writes ? file_write(transfer->file, bytes, size, FILE_HERE)
                                    : file_read(transfer->file, bytes, size, FILE_HERE);

    return moved == size ||
           worker_fail(transfer->worker, transfer->writes ? "write" : "read", transfer->name, offset + moved);
}

static bool move_block(struct ffsb_transfer *transfer, size_t size, uint64_t offset)
{
    struct data *data = &transfer->worker->data;

    count_pending(transfer);
    if (interrupted(transfer->worker))
        return false;
    if (transfer->space && !space_take(transfer->space, transfer->allowance, size)) {
        transfer->cut = true;
        return true;
    }
    if (!move(transfer, transfer->writes ? data_record(data, size) : data->target, size, offset))
        return false;
    transfer->moved += size;
    transfer->pending = true;
    transfer->pending_bytes = size;
    return true;
}

bool ffsb_seek(struct ffsb_transfer *transfer, uint64_t offset)
{
    return lseek(transfer->file, (off_t)offset, SEEK_SET) >= 0 ||
           worker_fail(transfer->worker, "lseek", transfer->name, offset);
}

uint64_t ffsb_draw_offset(const struct ffsb_transfer *transfer, uint64_t range)
{
    struct random *random = &transfer->worker->random;

    if (transfer->aligned)
        return random_below(random, range / ALIGNMENT + 1) * ALIGNMENT;
    return random_below(random, range + 1);
}

bool ffsb_sequential(struct ffsb_transfer *transfer, uint64_t offset, uint64_t size, uint64_t block, uint64_t skip)
{
    while (size && !transfer->cut) {
        uint64_t part = size < block ? size : block;

        if (!move_block(transfer, (size_t)part, offset))
            return false;
        size -= part;
        offset += part + skip;
        if (skip && size && !ffsb_seek(transfer, offset))
            return false;
    }
    return true;
}

bool ffsb_scattered(struct ffsb_transfer *transfer, uint64_t file_size, uint64_t size, uint64_t block)
{
    for (uint64_t blocks = size / block; blocks; blocks--) {
        uint64_t offset = ffsb_draw_offset(transfer, file_size - block);

        worker_sequence(transfer->worker, transfer->counter, offset);
        if (!ffsb_seek(transfer, offset) || !move_block(transfer, (size_t)block, offset))
            return false;
    }
    return true;
}

bool ffsb_transfer_end(struct ffsb_transfer *transfer, bool ok, bool sync)
{
    if (ok && sync && fsync(transfer->file))
        ok = worker_fail(transfer->worker, "fsync", transfer->name, 0);
    if (close(transfer->file) && ok)
        ok = worker_fail(transfer->worker, "close", transfer->name, 0);
    if (!ok)
        return false;
    if (!transfer->moved && !transfer->cut)
        transfer->pending = true;
    count_pending(transfer);
    return true;
}
