#include "tree/tar_read.h"

#include "tree/tar_format.h"
#include "tree/tar_pax.h"

#include "file.h"
#include "text.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define MAX_EXTENDED (UINT64_C(1) << 20) /* bytes of one extended header */
#define OWNER_FILE 0600U                 /* so that unpacked files can be read and removed */
#define OWNER_DIRECTORY 0700U

struct reader {
    struct source *source;
    int file;
    uint64_t size;
    uint64_t offset; /* of the next header */
    struct faults faults;
    bool ended;
    struct tar_override override;
};

static void fault(struct reader *reader, const char *path, const char *what)
{
    faults_add(&reader->faults, 0, "at byte %" PRIu64 ": %s%s%s", reader->offset, path, *path ? ": " : "", what);
}

/* Report a fault after which the rest cannot be read. */
static bool give_up(struct reader *reader, const char *what)
{
    fault(reader, "", what);
    reader->ended = true;
    return false;
}

static bool read_at(const struct reader *reader, void *to, size_t size, uint64_t offset)
{
    return file_read(reader->file, to, size, (int64_t)offset) == size;
}

/* Read an octal number among spaces and zeros, or a binary one with its first bit set. False if it is neither. */
static bool read_number(const char *field, size_t length, uint64_t *number)
{
    const unsigned char *bytes = (const unsigned char *)field;
    size_t at = 0;

    *number = 0;
    if (bytes[0] & 0x80U) {
        for (*number = bytes[0] & 0x7fU, at = 1; at < length; at++) {
            if (*number >> 54)
                return false;
            *number = *number << 8 | bytes[at];
        }
        return true;
    }
    while (at < length && field[at] == ' ')
        at++;
    for (; at < length && field[at] >= '0' && field[at] <= '7'; at++)
        *number = *number << 3 | (uint64_t)(field[at] - '0');
    return at == length || field[at] == ' ' || field[at] == '\0';
}

static void header_path(char path[SOURCE_PATH_LENGTH], const struct tar_header *header)
{
    bool prefixed = memcmp(header->magic, "ustar", 6) == 0 && header->prefix[0]; /* GNU has other things there */

    snprintf(path, SOURCE_PATH_LENGTH, "%.*s%s%.*s", prefixed ? (int)sizeof header->prefix : 0, header->prefix,
             prefixed ? "/" : "", (int)sizeof header->name, header->name);
}

/* The kind of an entry. False, with the reason, if it cannot be unpacked. */
static bool entry_kind(enum source_kind *kind, char type, const char *path, const char **what)
{
    size_t length = strlen(path);

    switch (type) {
    case '0':
    case '7':
    case '\0':
        *kind = type != '7' && length && path[length - 1] == '/' ? SOURCE_DIRECTORY : SOURCE_FILE; /* as before POSIX */
        return true;
    case '1':
        *kind = SOURCE_HARD_LINK;
        return true;
    case '2':
        *kind = SOURCE_SYMLINK;
        return true;
    case '5':
        *kind = SOURCE_DIRECTORY;
        return true;
    case '3':
    case '4':
    case '6':
        *what = "it is a device or a FIFO";
        return false;
    case 'S':
        *what = "it is a sparse file";
        return false;
    default:
        *what = "its kind is not known";
        return false;
    }
}

/* Add one entry to the tree. False if its size is so wrong that the next header cannot be found. */
static bool read_entry(struct reader *reader, const struct tar_header *header)
{
    struct tar_override *override = &reader->override;
    struct source_entry entry = {.offset = reader->offset + TAR_BLOCK};
    char path[SOURCE_PATH_LENGTH];
    char target[sizeof header->target + 1] = "";
    uint64_t mode;
    uint64_t mtime;
    const char *what = NULL;

    header_path(path, header);
    memcpy(target, header->target, sizeof header->target);
    entry.path = override->has_path ? override->path : path;
    if (!read_number(header->mode, sizeof header->mode, &mode) ||
        !read_number(header->mtime, sizeof header->mtime, &mtime) ||
        !read_number(header->size, sizeof header->size, &entry.size))
        return give_up(reader, "a number in a header is none");
    if (override->has_size)
        entry.size = override->size;
    entry.mtime = override->has_mtime ? override->mtime : (int64_t)mtime;
    if (entry_kind(&entry.kind, header->type, entry.path, &what)) {
        entry.mode = (unsigned)(mode & 0777U) | (entry.kind == SOURCE_DIRECTORY ? OWNER_DIRECTORY : OWNER_FILE);
        if (entry.kind == SOURCE_SYMLINK || entry.kind == SOURCE_HARD_LINK)
            entry.target = override->has_target ? override->target : target;
        if (entry.kind != SOURCE_FILE && entry.size)
            what = "it is no file and has data";
    }
    if (entry.size > reader->size - entry.offset)
        return give_up(reader, "its data end beyond the end of the file");
    if (!what)
        what = source_add(reader->source, &entry);
    if (what)
        fault(reader, entry.path, what);
    reader->offset = entry.offset + tar_padded(entry.size);
    *override = (struct tar_override){0};
    return true;
}

/* Read a header with facts about the next entry: pax (x), GNU tar's long name (L) and long link (K). */
static bool read_extended(struct reader *reader, const struct tar_header *header)
{
    struct tar_override *override = &reader->override;
    struct tar_override ignored = {0}; /* a global header has nothing useful but the comment */
    uint64_t size;
    char *text;
    const char *what;

    if (!read_number(header->size, sizeof header->size, &size) || size == 0 || size > MAX_EXTENDED ||
        size > reader->size - reader->offset - TAR_BLOCK)
        return give_up(reader, "an extended header has no likely size");
    text = malloc((size_t)size);
    if (!text || !read_at(reader, text, (size_t)size, reader->offset + TAR_BLOCK)) {
        free(text);
        return give_up(reader, "an extended header cannot be read");
    }
    if (header->type == 'L') {
        override->has_path = true;
        what = tar_long_name(override->path, text, (size_t)size);
    } else if (header->type == 'K') {
        override->has_target = true;
        what = tar_long_name(override->target, text, (size_t)size);
    } else {
        what = tar_pax_read(header->type == 'x' ? override : &ignored, text, (size_t)size);
        if (!what && (ignored.has_path || ignored.has_target || ignored.has_size))
            what = "a global header gives all entries one name or size";
    }
    free(text);
    if (what)
        fault(reader, "", what);
    reader->offset += TAR_BLOCK + tar_padded(size);
    return true;
}

static const char *compression(const unsigned char *start)
{
    static const struct {
        const char *magic;
        size_t length;
        const char *fault;
    } known[] = {
        {"\x1f\x8b", 2, "it is compressed: unpack it with gunzip first"},
        {"\x1f\x9d", 2, "it is compressed: unpack it with uncompress first"},
        {"BZh", 3, "it is compressed: unpack it with bunzip2 first"},
        {"\xfd" "7zXZ", 5, "it is compressed: unpack it with unxz first"},
        {"\x28\xb5\x2f\xfd", 4, "it is compressed: unpack it with unzstd first"},
        {"LZIP", 4, "it is compressed: unpack it with lzip -d first"},
        {"PK\x03\x04", 4, "it is a zip archive, not a tar file"},
    };

    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (memcmp(start, known[i].magic, known[i].length) == 0)
            return known[i].fault;
    return NULL;
}

static bool read_next(struct reader *reader)
{
    static const struct tar_header zero;
    struct tar_header header;
    uint64_t checksum;

    if (reader->offset >= reader->size) {
        reader->ended = true; /* without the two empty blocks, which tar accepts too */
        return true;
    }
    if (reader->size - reader->offset < TAR_BLOCK)
        return give_up(reader, "the file ends inside a header");
    if (!read_at(reader, &header, sizeof header, reader->offset))
        return give_up(reader, "it cannot be read");
    if (memcmp(&header, &zero, sizeof zero) == 0) {
        reader->ended = true;
        return true;
    }
    if (!read_number(header.checksum, sizeof header.checksum, &checksum) || checksum != tar_checksum(&header))
        return give_up(reader, reader->offset ? "a header's checksum is wrong" : "it is no tar file");
    if (header.type && strchr("xgLK", header.type))
        return read_extended(reader, &header);
    if (header.type == 'V') { /* the name of the archive */
        reader->offset += TAR_BLOCK;
        return true;
    }
    return read_entry(reader, &header);
}

bool tar_read(struct source *source, int file, const char *name)
{
    struct reader reader = {.source = source, .file = file, .faults = {.path = name}};
    struct stat status;
    unsigned char start[8] = {0};
    const char *what;

    if (fstat(file, &status) || !S_ISREG(status.st_mode)) {
        fault(&reader, "", "it is no regular file");
        return false;
    }
    reader.size = (uint64_t)status.st_size;
    if (reader.size >= sizeof start && read_at(&reader, start, sizeof start, 0) && (what = compression(start))) {
        fault(&reader, "", what);
        return false;
    }
    while (!reader.ended)
        read_next(&reader);
    if (!reader.faults.count && !source->count)
        fault(&reader, "", "nothing is in it");
    return faults_none(&reader.faults);
}
