#include "tree/archive.h"

#include "file.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <unistd.h>

#define MAX_PAX (4U * PATH_MAX)
#define OCTAL_11 (UINT64_C(1) << 33) /* the first number that eleven octal digits cannot hold */
#define OCTAL_7 (UINT64_C(1) << 21)

/* An entry that is about to be written. */
struct member {
    const char *path;
    const char *target;
    uint64_t size;
    const struct stat *status;
    char type;
};

static bool fail(struct archive *archive, const char *call, int error)
{
    archive->call = call;
    errno = error;
    return false;
}

/* Write the record if it is full. */
static bool flush(struct archive *archive)
{
    if (archive->used < TAR_RECORD)
        return true;
    if (file_write(archive->file, archive->record, TAR_RECORD, FILE_HERE) < TAR_RECORD)
        return fail(archive, "write", errno);
    archive->written += TAR_RECORD;
    archive->used = 0;
    return true;
}

/* Append bytes; NULL for zeros. */
static bool append(struct archive *archive, const void *bytes, size_t size)
{
    for (size_t done = 0; done < size;) {
        size_t part = TAR_RECORD - archive->used < size - done ? TAR_RECORD - archive->used : size - done;

        if (bytes)
            memcpy(archive->record + archive->used, (const char *)bytes + done, part);
        else
            memset(archive->record + archive->used, 0, part);
        archive->used += part;
        done += part;
        if (!flush(archive))
            return false;
    }
    return true;
}

static bool pad(struct archive *archive, uint64_t size)
{
    return append(archive, NULL, (size_t)(tar_padded(size) - size));
}

static void put_number(char *field, size_t length, uint64_t number)
{
    for (size_t at = length - 1; at > 0; number >>= 3)
        field[--at] = (char)('0' + (number & 7U));
}

/* One record of an extended header, which begins with its own length. Returns the length of the text. */
static size_t pax_record(char text[MAX_PAX], size_t used, const char *key, const char *value)
{
    size_t rest = strlen(key) + strlen(value) + sizeof " =\n" - 1;
    size_t length = rest + 1;

    while (length != rest + (size_t)snprintf(NULL, 0, "%zu", length))
        length = rest + (size_t)snprintf(NULL, 0, "%zu", length);
    snprintf(text + used, MAX_PAX - used, "%zu %s=%s\n", length, key, value);
    return used + length;
}

static size_t pax_number(char text[MAX_PAX], size_t used, const char *key, int64_t number)
{
    char value[32];

    snprintf(value, sizeof value, "%" PRId64, number);
    return pax_record(text, used, key, value);
}

/* Put a path into name and prefix, divided at a slash. False if it is too long for them. */
static bool put_path(struct tar_header *header, const char *path)
{
    size_t length = strlen(path);
    const char *slash = length > sizeof header->name ? path + length - sizeof header->name - 1 : path;

    if (length > sizeof header->name) {
        slash = strchr(slash, '/');
        if (!slash || slash == path || !slash[1] || (size_t)(slash - path) > sizeof header->prefix) {
            memcpy(header->name, path, sizeof header->name);
            return false;
        }
        memcpy(header->prefix, path, (size_t)(slash - path));
        path = slash + 1;
    }
    memcpy(header->name, path, strlen(path));
    return true;
}

static bool append_header(struct archive *archive, struct tar_header *header)
{
    memcpy(header->magic, "ustar", sizeof header->magic);
    memcpy(header->version, "00", sizeof header->version);
    put_number(header->checksum, sizeof header->checksum - 1, tar_checksum(header));
    header->checksum[7] = ' ';
    return append(archive, header, sizeof *header);
}

/* Fill in a header. Returns the length of the text of an extended header before it; 0 if it needs none. */
static size_t fill_header(struct tar_header *header, char pax[MAX_PAX], const struct member *member)
{
    const struct stat *status = member->status;
    bool mtime_fits = status->st_mtime >= 0 && (uint64_t)status->st_mtime < OCTAL_11;
    size_t used = 0;

    if (!put_path(header, member->path))
        used = pax_record(pax, used, "path", member->path);
    if (member->target && strlen(member->target) > sizeof header->target)
        used = pax_record(pax, used, "linkpath", member->target);
    else if (member->target)
        memcpy(header->target, member->target, strlen(member->target));
    if (member->size >= OCTAL_11)
        used = pax_number(pax, used, "size", (int64_t)member->size);
    if (!mtime_fits)
        used = pax_number(pax, used, "mtime", status->st_mtime);
    if (status->st_uid >= OCTAL_7)
        used = pax_number(pax, used, "uid", status->st_uid);
    if (status->st_gid >= OCTAL_7)
        used = pax_number(pax, used, "gid", status->st_gid);
    put_number(header->mode, sizeof header->mode, status->st_mode & 07777U);
    put_number(header->uid, sizeof header->uid, status->st_uid < OCTAL_7 ? status->st_uid : 0);
    put_number(header->gid, sizeof header->gid, status->st_gid < OCTAL_7 ? status->st_gid : 0);
    put_number(header->size, sizeof header->size, member->size < OCTAL_11 ? member->size : 0);
    put_number(header->mtime, sizeof header->mtime, mtime_fits ? (uint64_t)status->st_mtime : 0);
    header->type = member->type;
    return used;
}

static bool add_headers(struct archive *archive, const struct member *member)
{
    struct tar_header header = {0};
    struct tar_header extended = {.name = "pax_header", .type = 'x'};
    char pax[MAX_PAX];
    size_t length = fill_header(&header, pax, member);

    if (length) {
        put_number(extended.mode, sizeof extended.mode, 0644);
        put_number(extended.uid, sizeof extended.uid, 0);
        put_number(extended.gid, sizeof extended.gid, 0);
        put_number(extended.size, sizeof extended.size, length);
        put_number(extended.mtime, sizeof extended.mtime, 0);
        if (!append_header(archive, &extended) || !append(archive, pax, length) || !pad(archive, length))
            return false;
    }
    return append_header(archive, &header);
}

/* Read a file's bytes directly into the record. */
static bool add_data(struct archive *archive, int file, uint64_t size)
{
    for (uint64_t done = 0; done < size;) {
        size_t part = TAR_RECORD - archive->used;
        ssize_t moved;

        if (part > size - done)
            part = (size_t)(size - done);
        moved = read(file, archive->record + archive->used, part);
        if (moved == 0 || (moved < 0 && errno != EINTR))
            return fail(archive, "read", moved ? errno : 0);
        if (moved > 0) {
            archive->used += (size_t)moved;
            done += (uint64_t)moved;
        }
        if (!flush(archive))
            return false;
    }
    return pad(archive, size);
}

static bool add_file(struct archive *archive, int directory, const char *name, struct member *member)
{
    bool no_memory = false;
    bool added;
    int file;

    if (member->status->st_nlink > 1)
        member->target = links_meet(&archive->links, member->status->st_ino, member->path, &no_memory);
    if (no_memory)
        return fail(archive, "malloc", ENOMEM);
    if (member->target) {
        member->type = '1';
        return add_headers(archive, member);
    }
    file = openat(directory, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
    if (file < 0)
        return fail(archive, "open", errno);
    member->size = (uint64_t)member->status->st_size;
    added = add_headers(archive, member) && add_data(archive, file, member->size);
    close(file);
    return added;
}

bool archive_add(struct archive *archive, int directory, const char *name, const char *path, const struct stat *status)
{
    struct member member = {.path = path, .status = status, .type = '0'};
    char text[PATH_MAX + 1];

    if (S_ISREG(status->st_mode))
        return add_file(archive, directory, name, &member);
    if (S_ISDIR(status->st_mode)) {
        if ((size_t)snprintf(text, sizeof text, "%s/", path) >= sizeof text)
            return fail(archive, "open", ENAMETOOLONG);
        member.path = text;
        member.type = '5';
    } else {
        ssize_t length = readlinkat(directory, name, text, PATH_MAX);

        if (length < 0)
            return fail(archive, "readlink", errno);
        text[length] = '\0';
        member.target = text;
        member.type = '2';
    }
    return add_headers(archive, &member);
}

bool archive_end(struct archive *archive)
{
    if (!append(archive, NULL, (size_t)2 * TAR_BLOCK))
        return false;
    return archive->used == 0 || append(archive, NULL, TAR_RECORD - archive->used);
}

void archive_free(struct archive *archive)
{
    links_free(&archive->links);
}
