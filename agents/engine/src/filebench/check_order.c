/* Goes through a thread's flowops twice, to find which files are open at each. */
#include "filebench/wml.h"

struct slot {
    bool open;
    bool known;    /* a file was open here before */
    int fileset;   /* of that file */
    unsigned line; /* of the flowop that opened it */
};

struct walk {
    struct wml *wml;
    struct faults *faults;
    struct slot slots[WML_MAX_FD + 1];
};

static bool moves_data(enum wml_kind kind)
{
    return kind >= WML_READWHOLEFILE;
}

static bool writes(enum wml_kind kind)
{
    return moves_data(kind) && kind != WML_READWHOLEFILE && kind != WML_READ;
}

static bool needs_size(enum wml_kind kind)
{
    return kind >= WML_APPENDFILE;
}

static void open_slot(struct slot *slot, const struct wml_flowop *flowop)
{
    *slot = (struct slot){.open = true, .known = true, .fileset = flowop->fileset, .line = flowop->line};
}

static void check_open(struct walk *walk, const struct wml_flowop *flowop, struct slot *slot)
{
    const char *name = wml_kind_names[flowop->kind];

    if (flowop->fileset < 0)
        faults_add(walk->faults, flowop->line, "%s: it has no filesetname", name);
    else if (slot->open || flowop->iterations > 1)
        faults_add(walk->faults, flowop->line, "%s: fd %u is still open, since line %u", name, (unsigned)flowop->fd,
                   slot->open ? slot->line : flowop->line);
    else
        open_slot(slot, flowop);
    if (flowop->rotates)
        faults_add(walk->faults, flowop->line, "%s: opennext would leave files open that nothing closes", name);
    if (flowop->kind == WML_CREATEFILE && flowop->fileset >= 0)
        walk->wml->filesets[flowop->fileset].changes = true;
}

static void check_close(struct walk *walk, const struct wml_flowop *flowop, struct slot *slot)
{
    if (!slot->open || flowop->iterations > 1)
        faults_add(walk->faults, flowop->line, "%s: fd %u is not open", wml_kind_names[flowop->kind],
                   (unsigned)flowop->fd);
    slot->open = false;
}

static void check_delete(struct walk *walk, const struct wml_flowop *flowop, struct slot *slot)
{
    bool own = flowop->fd && slot->known;
    int fileset = own ? slot->fileset : flowop->fileset;

    if (own && slot->open)
        faults_add(walk->faults, flowop->line, "deletefile: fd %u is still open, since line %u", (unsigned)flowop->fd,
                   slot->line);
    else if (fileset < 0)
        faults_add(walk->faults, flowop->line, "deletefile: it has no filesetname");
    else
        walk->wml->filesets[fileset].changes = true;
    slot->known = slot->known && !own;
}

static void check_data(struct walk *walk, const struct wml_flowop *flowop, struct slot *slot)
{
    const char *name = wml_kind_names[flowop->kind];
    bool rotates = flowop->rotates && !flowop->fd;
    int fileset = slot->open && !rotates ? slot->fileset : flowop->fileset;

    if (needs_size(flowop->kind) && !flowop->io_size)
        faults_add(walk->faults, flowop->line, "%s: it has no iosize", name);
    if (fileset < 0) {
        faults_add(walk->faults, flowop->line, "%s: fd %u is not open, and no filesetname says what to open", name,
                   (unsigned)flowop->fd);
        return;
    }
    if (rotates && walk->wml->filesets[fileset].entries > WML_MAX_FD + 1)
        faults_add(walk->faults, flowop->line, "%s: opennext can keep no more than %u files open", name,
                   WML_MAX_FD + 1);
    if (flowop->fd && flowop->fileset >= 0 && flowop->fileset != fileset)
        faults_add(walk->faults, flowop->line, "%s: fd %u is a file of %s, not of %s", name, (unsigned)flowop->fd,
                   walk->wml->filesets[fileset].name, flowop->fileset_name);
    if (flowop->kind == WML_WRITEWHOLEFILE && flowop->source_fd && flowop->source_fd != flowop->fd &&
        !walk->slots[flowop->source_fd].known)
        faults_add(walk->faults, flowop->line, "%s: srcfd %u has no file", name, (unsigned)flowop->source_fd);
    if (!rotates && !slot->open)
        open_slot(slot, flowop); /* the file stays open */
    if (writes(flowop->kind))
        walk->wml->filesets[fileset].written = true;
}

static void check_flowop(struct walk *walk, const struct wml_flowop *flowop)
{
    struct slot *slot = &walk->slots[flowop->fd];

    switch (flowop->kind) {
    case WML_OPENFILE:
    case WML_CREATEFILE:
        check_open(walk, flowop, slot);
        break;
    case WML_CLOSEFILE:
        check_close(walk, flowop, slot);
        break;
    case WML_FSYNC:
        if (!slot->open)
            faults_add(walk->faults, flowop->line, "fsync: fd %u is not open", (unsigned)flowop->fd);
        break;
    case WML_DELETEFILE:
        check_delete(walk, flowop, slot);
        break;
    case WML_STATFILE:
        if (flowop->fileset < 0 && !(flowop->fd && slot->open))
            faults_add(walk->faults, flowop->line, "statfile: it has no filesetname");
        break;
    default:
        check_data(walk, flowop, slot);
    }
}

/* Go through the flowops once. False: there were faults. */
static bool go_through(struct walk *walk, const struct wml_thread *thread)
{
    unsigned before = walk->faults->count;

    for (unsigned i = thread->first; i < thread->first + thread->count; i++)
        check_flowop(walk, &walk->wml->flowops[i]);
    return walk->faults->count == before;
}

void wml_check_order(struct wml *wml, const struct wml_thread *thread, struct faults *faults)
{
    struct walk walk = {.wml = wml, .faults = faults};

    if (go_through(&walk, thread))
        go_through(&walk, thread);
}
