/* The flowops that move data. If no file is open on their fd, they open one, which then stays open. */
#include "filebench/operate.h"

#include "file.h"

#include <errno.h>
#include <unistd.h>

static enum wml_outcome fail(const struct wml_operation *operation, const struct wml_slot *slot, const char *call,
                             uint64_t offset)
{
    worker_fail(operation->worker, call, wml_slot_entry(operation, slot)->name, offset);
    return WML_FAILED;
}

static enum wml_outcome ensure_open(const struct wml_operation *operation, struct wml_slot *slot)
{
    enum wml_outcome outcome;

    if (slot->file >= 0)
        return WML_DONE;
    outcome = wml_open(operation, slot, false);
    worker_begin(operation->worker); /* opening is not part of the flowop */
    return outcome;
}

static bool rewind_file(struct wml_slot *slot)
{
    return !slot->moved || !lseek(slot->file, 0, SEEK_SET);
}

enum wml_outcome wml_read_whole(const struct wml_operation *operation, struct wml_slot *slot)
{
    enum wml_outcome outcome = ensure_open(operation, slot);
    uint64_t bytes = 0;
    size_t chunk;
    ssize_t moved;

    if (outcome != WML_DONE)
        return outcome;
    wml_enter(operation, (uint64_t)slot->entry);
    chunk = (size_t)(operation->flowop->io_size ? operation->flowop->io_size : wml_slot_entry(operation, slot)->size);
    chunk = chunk < operation->worker->data.target_size ? chunk : operation->worker->data.target_size;
    chunk = chunk ? chunk : 1;
    if (!rewind_file(slot))
        return fail(operation, slot, "lseek", 0);
    slot->moved = true;
    while ((moved = read(slot->file, operation->worker->data.target, chunk)) != 0) {
        if (moved < 0 && errno != EINTR)
            return fail(operation, slot, "read", bytes);
        bytes += moved > 0 ? (uint64_t)moved : 0;
    }
    return wml_count(operation, bytes);
}

/* Write a record at the current position or at an offset; a short write is continued. */
static enum wml_outcome put(const struct wml_operation *operation, const struct wml_slot *slot, size_t size,
                            int64_t offset)
{
    struct wml_state *state = operation->state;
    const unsigned char *memory = data_record(&operation->worker->data, size);
    size_t done;

    if (!space_take(&state->task->space, &state->allowance, size))
        return WML_NO_SPACE;
    done = file_write(slot->file, memory, size, offset);
    if (done < size)
        return fail(operation, slot, offset < 0 ? "write" : "pwrite", offset < 0 ? done : (uint64_t)offset + done);
    return WML_DONE;
}

/* Write as many bytes as the source file should have, from the current position on. */
enum wml_outcome wml_write_whole(const struct wml_operation *operation, struct wml_slot *slot)
{
    const struct wml_flowop *flowop = operation->flowop;
    const struct wml_slot *source = &operation->state->slots[flowop->source_fd];
    enum wml_outcome outcome = ensure_open(operation, slot);
    uint64_t size;
    uint64_t chunk;

    if (outcome != WML_DONE)
        return outcome;
    size = flowop->working_set ? flowop->working_set : wml_slot_entry(operation, slot)->size;
    if (source->set >= 0)
        size = wml_slot_entry(operation, source)->size;
    wml_enter(operation, size);
    chunk = flowop->io_size ? flowop->io_size : operation->worker->data.target_size;
    slot->moved = true;
    for (uint64_t done = 0; done < size && outcome == WML_DONE; done += chunk)
        outcome = put(operation, slot, (size_t)(size - done < chunk ? size - done : chunk), -1);
    return outcome == WML_DONE ? wml_count(operation, size) : outcome;
}

enum wml_outcome wml_append(const struct wml_operation *operation, struct wml_slot *slot)
{
    const struct wml_flowop *flowop = operation->flowop;
    uint64_t size = flowop->io_size;
    enum wml_outcome outcome;

    if (flowop->kind == WML_APPENDFILERAND)
        size = random_below(&operation->worker->random, size); /* 0 is possible and counts, as in Filebench */
    outcome = ensure_open(operation, slot);
    if (outcome != WML_DONE)
        return outcome;
    wml_enter(operation, size);
    slot->moved = true;
    if (size && lseek(slot->file, 0, SEEK_END) < 0)
        return fail(operation, slot, "lseek", 0);
    outcome = put(operation, slot, (size_t)size, -1);
    return outcome == WML_DONE ? wml_count(operation, size) : outcome;
}

/* The offset of a part; -1: the current position. Random ones are multiples of iosize. False: the file is smaller. */
static bool part_offset(const struct wml_operation *operation, const struct wml_slot *slot, int64_t *offset)
{
    const struct wml_flowop *flowop = operation->flowop;
    uint64_t size = flowop->working_set ? flowop->working_set : wml_slot_entry(operation, slot)->size;

    *offset = -1;
    if (!flowop->random)
        return true;
    if (size < flowop->io_size)
        return worker_fail_error(operation->worker, wml_kind_names[flowop->kind], EINVAL,
                                 wml_slot_entry(operation, slot)->name, 0);
    *offset = (int64_t)(random_below(&operation->worker->random, size / flowop->io_size) * flowop->io_size);
    return true;
}

enum wml_outcome wml_read_part(const struct wml_operation *operation, struct wml_slot *slot)
{
    size_t size = (size_t)operation->flowop->io_size;
    unsigned char *memory = operation->worker->data.target;
    enum wml_outcome outcome = ensure_open(operation, slot);
    int64_t offset;
    ssize_t moved;

    if (outcome != WML_DONE)
        return outcome;
    if (!part_offset(operation, slot, &offset))
        return WML_FAILED;
    wml_enter(operation, (uint64_t)offset);
    do
        moved = offset < 0 ? read(slot->file, memory, size) : pread(slot->file, memory, size, offset);
    while (moved < 0 && errno == EINTR);
    if (moved < 0)
        return fail(operation, slot, offset < 0 ? "read" : "pread", offset < 0 ? 0 : (uint64_t)offset);
    slot->moved = true;
    if (moved == 0 && offset < 0 && lseek(slot->file, 0, SEEK_SET) < 0) /* the next read begins at the start */
        return fail(operation, slot, "lseek", 0);
    return wml_count(operation, (uint64_t)moved);
}

enum wml_outcome wml_write_part(const struct wml_operation *operation, struct wml_slot *slot)
{
    enum wml_outcome outcome = ensure_open(operation, slot);
    int64_t offset;

    if (outcome != WML_DONE)
        return outcome;
    if (!part_offset(operation, slot, &offset))
        return WML_FAILED;
    wml_enter(operation, (uint64_t)offset);
    slot->moved = true;
    outcome = put(operation, slot, (size_t)operation->flowop->io_size, offset);
    return outcome == WML_DONE ? wml_count(operation, operation->flowop->io_size) : outcome;
}
