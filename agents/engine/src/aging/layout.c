#include "aging/layout.h"

#include "aging/extents.h"
#include "stop.h"

#include <dirent.h>
#include <fcntl.h>
#include <linux/fiemap.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

/* One file, while its extents are read. */
struct measuring {
    uint64_t block;
    uint64_t extents;
    uint64_t blocks;
    uint64_t bytes;
    uint64_t end; /* of the previous extent, on the device */
    bool placed;  /* all extents so far have a place */
};

struct walk {
    struct layout *layout;
    dev_t device;
    unsigned depth;
};

static bool take(void *context, const struct extent *extent)
{
    const uint32_t nowhere = FIEMAP_EXTENT_UNKNOWN | FIEMAP_EXTENT_DELALLOC | FIEMAP_EXTENT_ENCODED;
    struct measuring *file = context;

    if (extent->flags & (FIEMAP_EXTENT_DATA_INLINE | FIEMAP_EXTENT_DATA_TAIL))
        return true; /* in the inode or beside another file's: no block of its own */
    if (extent->flags & nowhere) {
        file->placed = false;
        return false;
    }
    file->extents += !file->extents || extent->start != file->end;
    file->end = extent->start + extent->length;
    file->bytes += extent->length;
    file->blocks += (extent->length + file->block - 1) / file->block;
    return true;
}

/* False if the file system has no FIEMAP. */
static bool measure_file(struct layout *layout, int file)
{
    struct measuring measuring = {.block = layout->block, .placed = true};

    if (!extents_each(file, take, &measuring)) {
        if (extents_unsupported())
            return false;
        measuring.placed = false;
    }
    if (!measuring.placed) {
        layout->skipped++;
    } else if (!measuring.extents) {
        layout->empty++;
    } else {
        layout->measured++;
        layout->fragmented += measuring.extents > 1;
        layout->extents += measuring.extents;
        layout->allocated += measuring.bytes;
        layout->pairs += measuring.blocks - 1;
        layout->adjacent += measuring.blocks - measuring.extents;
    }
    return true;
}

static void look_at_file(struct layout *layout, int directory, const char *name, const struct stat *status)
{
    int file;

    layout->files++;
    layout->bytes += (uint64_t)status->st_size;
    if (layout->reason)
        return;
    file = openat(directory, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (file < 0) {
        layout->skipped++;
        return;
    }
    if (!measure_file(layout, file))
        layout->reason = "the file system does not say where files lie: it has no FIEMAP";
    close(file);
}

static bool look_into(struct walk *walk, int directory);

static bool look_at_directory(struct walk *walk, int directory, const char *name)
{
    int inner = -1;
    bool whole = true;

    if (walk->depth < MAX_LAYOUT_DEPTH)
        inner = openat(directory, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (inner < 0) {
        walk->layout->directories_skipped++;
        return true;
    }
    walk->depth++;
    whole = look_into(walk, inner);
    walk->depth--;
    return whole;
}

/* Measure the files in a directory, and close it. False if a signal came. */
static bool look_into(struct walk *walk, int directory)
{
    DIR *entries = fdopendir(directory);
    const struct dirent *entry;
    bool whole = true;

    if (!entries) {
        close(directory);
        walk->layout->directories_skipped++;
        return true;
    }
    while (whole && (entry = readdir(entries))) {
        struct stat status;

        if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, "..") ||
            fstatat(directory, entry->d_name, &status, AT_SYMLINK_NOFOLLOW) || status.st_dev != walk->device)
            continue;
        if (S_ISDIR(status.st_mode))
            whole = look_at_directory(walk, directory, entry->d_name);
        else if (S_ISREG(status.st_mode))
            look_at_file(walk->layout, directory, entry->d_name, &status);
        whole = whole && !stop_requested();
    }
    closedir(entries);
    return whole;
}

bool layout_measure(struct layout *layout, int directory)
{
    struct walk walk = {.layout = layout};
    struct stat status;
    struct statvfs space;
    int copy = openat(directory, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);

    *layout = (struct layout){.block = 4096};
    if (copy < 0 || fstat(copy, &status)) {
        layout->reason = "the directory cannot be opened";
        if (copy >= 0)
            close(copy);
        return true;
    }
    if (!fstatvfs(copy, &space) && space.f_frsize)
        layout->block = space.f_frsize;
    walk.device = status.st_dev;
    return look_into(&walk, copy);
}
