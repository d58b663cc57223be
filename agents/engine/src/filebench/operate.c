/* The flowops that name files. */
#include "filebench/operate.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

static const struct wml_entry *entry_of(const struct wml_operation *operation, int set, int64_t entry)
{
    return &operation->state->task->sets[set].entries[entry];
}

const struct wml_entry *wml_slot_entry(const struct wml_operation *operation, const struct wml_slot *slot)
{
    return entry_of(operation, slot->set, slot->entry);
}

/* Enter the operation into the digest. */
void wml_enter(const struct wml_operation *operation, uint64_t where)
{
    worker_sequence(operation->worker, operation->flowop->counter, where);
}

enum wml_outcome wml_count(const struct wml_operation *operation, uint64_t bytes)
{
    worker_count(operation->worker, operation->flowop->counter, bytes);
    return WML_DONE;
}

enum wml_outcome wml_open(const struct wml_operation *operation, struct wml_slot *slot, bool creates)
{
    const struct wml_flowop *flowop = operation->flowop;
    struct wml_state *state = operation->state;
    const struct wml_set *set = &state->task->sets[flowop->fileset];
    struct wml_view *view = &state->views[flowop->fileset];
    int64_t entry = creates ? wml_pick_free(view) : wml_pick_existing(view);
    int flags = set->flags | O_NOFOLLOW | O_CLOEXEC | (creates ? O_CREAT : 0);

    if (entry < 0)
        return WML_NO_FILE;
    wml_enter(operation, (uint64_t)entry);
    flags |= (flowop->direct ? O_DIRECT : 0) | (flowop->synchronous ? O_SYNC : 0);
    slot->file = openat(set->directory, set->entries[entry].name, flags, 0600);
    if (slot->file < 0) {
        worker_fail(operation->worker, "open", set->entries[entry].name, 0);
        return WML_FAILED;
    }
    slot->set = flowop->fileset;
    slot->entry = entry;
    slot->moved = false;
    if (creates)
        wml_share_set(view->share, (uint64_t)entry, true);
    return WML_DONE;
}

static enum wml_outcome openfile(const struct wml_operation *operation, struct wml_slot *slot)
{
    enum wml_outcome outcome = wml_open(operation, slot, operation->flowop->kind == WML_CREATEFILE);

    return outcome == WML_DONE ? wml_count(operation, 0) : outcome;
}

static enum wml_outcome closefile(const struct wml_operation *operation, struct wml_slot *slot)
{
    int file = slot->file;

    slot->file = -1;
    wml_enter(operation, (uint64_t)slot->entry);
    if (close(file)) {
        worker_fail(operation->worker, "close", wml_slot_entry(operation, slot)->name, 0);
        return WML_FAILED;
    }
    return wml_count(operation, 0);
}

static bool is_open(const struct wml_state *state, int set, int64_t entry)
{
    for (unsigned i = 0; i < WML_SLOTS; i++)
        if (state->slots[i].file >= 0 && state->slots[i].set == set && state->slots[i].entry == entry)
            return true;
    return false;
}

/* Delete the last file open on this fd; if there is none, delete the next file that is not open, as Filebench does. */
static enum wml_outcome deletefile(const struct wml_operation *operation, struct wml_slot *slot)
{
    const struct wml_flowop *flowop = operation->flowop;
    struct wml_state *state = operation->state;
    bool own = flowop->fd && slot->set >= 0;
    int set = own ? slot->set : flowop->fileset;
    struct wml_view *view = &state->views[set];
    int64_t entry = own ? slot->entry : wml_pick_existing(view);

    for (uint64_t tried = 1; !own && entry >= 0 && is_open(state, set, entry); tried++)
        entry = tried < view->share->existing ? wml_pick_existing(view) : -1;
    if (own)
        slot->set = -1;
    if (entry < 0)
        return WML_NO_FILE;
    wml_enter(operation, (uint64_t)entry);
    if (unlinkat(state->task->sets[set].directory, entry_of(operation, set, entry)->name, 0)) {
        worker_fail(operation->worker, "unlink", entry_of(operation, set, entry)->name, 0);
        return WML_FAILED;
    }
    wml_share_set(view->share, (uint64_t)entry, false);
    return wml_count(operation, 0);
}

static enum wml_outcome statfile(const struct wml_operation *operation, struct wml_slot *slot)
{
    const struct wml_flowop *flowop = operation->flowop;
    struct wml_state *state = operation->state;
    bool own = flowop->fd && slot->file >= 0;
    int set = own ? slot->set : flowop->fileset;
    int64_t entry = own ? slot->entry : wml_pick_existing(&state->views[set]);
    struct stat status;

    if (entry < 0)
        return WML_NO_FILE;
    wml_enter(operation, (uint64_t)entry);
    if (own ? fstat(slot->file, &status)
            : fstatat(state->task->sets[set].directory, entry_of(operation, set, entry)->name, &status,
                      AT_SYMLINK_NOFOLLOW)) {
        worker_fail(operation->worker, own ? "fstat" : "stat", entry_of(operation, set, entry)->name, 0);
        return WML_FAILED;
    }
    return wml_count(operation, 0);
}

static enum wml_outcome sync_file(const struct wml_operation *operation, struct wml_slot *slot)
{
    wml_enter(operation, (uint64_t)slot->entry);
    if (fsync(slot->file)) {
        worker_fail(operation->worker, "fsync", wml_slot_entry(operation, slot)->name, 0);
        return WML_FAILED;
    }
    return wml_count(operation, 0);
}

static enum wml_outcome (*const functions[WML_KINDS])(const struct wml_operation *, struct wml_slot *) = {
    [WML_OPENFILE] = openfile,
    [WML_CREATEFILE] = openfile,
    [WML_CLOSEFILE] = closefile,
    [WML_DELETEFILE] = deletefile,
    [WML_STATFILE] = statfile,
    [WML_FSYNC] = sync_file,
    [WML_READWHOLEFILE] = wml_read_whole,
    [WML_WRITEWHOLEFILE] = wml_write_whole,
    [WML_APPENDFILE] = wml_append,
    [WML_APPENDFILERAND] = wml_append,
    [WML_READ] = wml_read_part,
    [WML_WRITE] = wml_write_part,
};

/* The slot of a flowop's file. opennext uses a slot for each file of the fileset in turn. */
static struct wml_slot *slot_of(struct wml_state *state, const struct wml_flowop *flowop)
{
    if (flowop->fd || !flowop->rotates || flowop->fileset < 0)
        return &state->slots[flowop->fd];
    if (state->rotor >= state->task->sets[flowop->fileset].fileset->entries)
        state->rotor = 0;
    return &state->slots[WML_ROTATING + state->rotor++];
}

enum wml_outcome wml_operate(struct worker *worker, struct wml_state *state, const struct wml_flowop *flowop)
{
    const struct wml_operation operation = {worker, state, flowop};

    return functions[flowop->kind](&operation, slot_of(state, flowop));
}
