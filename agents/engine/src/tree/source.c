#include "tree/source.h"

#include <stdlib.h>
#include <string.h>

#define MAX_NAME 255U
#define BLOCK 4096U
#define FIRST_CAPACITY 1024U
#define DIRECTORY_MODE 0755U

static const char no_memory[] = "there is not enough memory for so many entries";

static uint32_t hash(const char *path)
{
    uint32_t value = 2166136261U; /* FNV-1a */

    for (; *path; path++)
        value = (value ^ (unsigned char)*path) * 16777619U;
    return value;
}

/* The slot of a path in the table, or the free slot for it. */
static uint32_t *slot_of(const struct source *source, const char *path)
{
    size_t at = hash(path) & (source->slots_count - 1);

    while (source->slots[at] && strcmp(source->entries[source->slots[at] - 1].path, path) != 0)
        at = (at + 1) & (source->slots_count - 1);
    return &source->slots[at];
}

static const struct source_entry *find(const struct source *source, const char *path)
{
    uint32_t index = source->slots_count ? *slot_of(source, path) : 0;

    return index ? &source->entries[index - 1] : NULL;
}

/* Double the room for entries, and keep the table at most half full. */
static bool grow(struct source *source)
{
    size_t capacity = source->capacity ? source->capacity * 2 : FIRST_CAPACITY;
    struct source_entry *entries = realloc(source->entries, capacity * sizeof *entries);
    uint32_t *slots;

    if (!entries)
        return false;
    source->entries = entries;
    slots = calloc(capacity * 2, sizeof *slots);
    if (!slots)
        return false;
    free(source->slots);
    source->slots = slots;
    source->slots_count = capacity * 2;
    source->capacity = capacity;
    for (size_t i = 0; i < source->count; i++)
        *slot_of(source, entries[i].path) = (uint32_t)i + 1;
    return true;
}

/* Append an entry whose path is clean and new, and whose parents exist. */
static const char *append(struct source *source, const struct source_entry *entry)
{
    char *path;
    char *target = NULL;

    if (source->count == SOURCE_MAX_ENTRIES)
        return "the tree has more than 4000000 entries";
    if (source->count == source->capacity && !grow(source))
        return no_memory;
    path = strdup(entry->path);
    if (path && entry->target)
        target = strdup(entry->target);
    if (!path || (entry->target && !target)) {
        free(path);
        return no_memory;
    }
    source->entries[source->count] = *entry;
    source->entries[source->count].path = path;
    source->entries[source->count].target = target;
    source->count++;
    *slot_of(source, path) = (uint32_t)source->count;
    source->room += BLOCK + (entry->size + BLOCK - 1) / BLOCK * BLOCK;
    return NULL;
}

/* Copy a path without empty names and ".". NULL, or its fault. */
static const char *clean(char to[SOURCE_PATH_LENGTH], const char *path)
{
    size_t used = 0;
    unsigned names = 0;

    if (path[0] == '/')
        return "its path is absolute";
    for (size_t length; *path; path += length + (path[length] == '/')) {
        length = strcspn(path, "/");
        if (length == 0 || (length == 1 && path[0] == '.'))
            continue;
        if (length == 2 && path[0] == '.' && path[1] == '.')
            return "its path has .. in it";
        if (length > MAX_NAME || used + length + 2 > SOURCE_PATH_LENGTH)
            return "its path is too long";
        if (++names > SOURCE_MAX_DEPTH)
            return "its path has more than 64 names";
        if (used)
            to[used++] = '/';
        memcpy(to + used, path, length);
        used += length;
    }
    to[used] = '\0';
    return NULL;
}

/* Add all missing directories above a clean path. */
static const char *add_parents(struct source *source, char *path, int64_t mtime)
{
    const char *fault = NULL;

    for (char *slash = strchr(path, '/'); slash && !fault; slash = strchr(slash + 1, '/')) {
        const struct source_entry *parent;

        *slash = '\0';
        parent = find(source, path);
        if (parent && parent->kind != SOURCE_DIRECTORY)
            fault = "what should be its directory is an entry of another kind";
        else if (!parent)
            fault = append(source, &(struct source_entry){.path = path, .mtime = mtime, .mode = DIRECTORY_MODE,
                                                          .kind = SOURCE_DIRECTORY});
        *slash = '/';
    }
    return fault;
}

static const char *check_link(const struct source *source, char target[SOURCE_PATH_LENGTH])
{
    const struct source_entry *file;
    char path[SOURCE_PATH_LENGTH];
    const char *fault = clean(path, target);

    if (fault)
        return "its link's target is absolute, too long or has .. in it";
    file = find(source, path);
    if (!file || file->kind != SOURCE_FILE)
        return "its link's target is no file before it";
    memcpy(target, path, sizeof path);
    return NULL;
}

const char *source_add(struct source *source, const struct source_entry *entry)
{
    char path[SOURCE_PATH_LENGTH];
    char target[SOURCE_PATH_LENGTH];
    struct source_entry copy = *entry;
    const struct source_entry *same;
    const char *fault = clean(path, entry->path);

    if (!fault && entry->target && (!*entry->target || strlen(entry->target) >= sizeof target))
        fault = "its link's target is empty or too long";
    if (fault)
        return fault;
    same = find(source, path);
    if (entry->kind == SOURCE_DIRECTORY && (!*path || (same && same->kind == SOURCE_DIRECTORY)))
        return NULL; /* the root, or a directory named again */
    if (!*path || same)
        return *path ? "its path is that of an earlier entry" : "its path is empty";
    copy.path = path;
    if (entry->target)
        copy.target = strcpy(target, entry->target);
    if (entry->kind == SOURCE_HARD_LINK)
        fault = check_link(source, target);
    if (!fault)
        fault = add_parents(source, path, entry->mtime);
    return fault ? fault : append(source, &copy);
}
