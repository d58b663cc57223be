#include "sweep/access.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* Turn stdio's count of moved bytes into a result: -1 if nothing moved because of an error. */
static ssize_t checked(struct access *access, size_t moved)
{
    return moved || !ferror(access->stream) ? (ssize_t)moved : -1;
}

ssize_t access_move_in_memory(struct access *access, void *memory, size_t size, uint64_t offset)
{
    if (access->way == WAY_FREAD)
        return checked(access, fread(memory, 1, size, access->stream));
    if (access->way == WAY_FWRITE)
        return checked(access, fwrite(memory, 1, size, access->stream));
    if (access->way == WAY_FROM_MAP)
        memcpy(memory, access->map + offset, size);
    else
        memcpy(access->map + offset, memory, size);
    return (ssize_t)size;
}

static int open_flags(const struct operation *operation)
{
    static const int sync_flags[] = {0, O_DSYNC, O_SYNC};
    int flags = O_NOFOLLOW | O_CLOEXEC | (operation->writes ? O_RDWR : O_RDONLY);

    if (operation->before != WANTS_OLD)
        flags |= O_CREAT;
    if (operation->writes)
        flags |= sync_flags[sweep_settings.sync];
    if (sweep_settings.direct)
        flags |= O_DIRECT;
    return flags;
}

static bool open_stream(struct access *access, const struct operation *operation, uint64_t record_size,
                        struct failure *failure)
{
    access->way = operation->writes ? WAY_FWRITE : WAY_FREAD;
    access->stream = fdopen(access->file, operation->writes ? "r+" : "r");
    if (!access->stream)
        return failure_set(failure, "fdopen", access->name, 0);
    /* A buffer of one record, as iozone has; aligned, because stdio may give it to O_DIRECT. */
    access->buffer = aligned_alloc(4096, (record_size + 4095) / 4096 * 4096);
    if (!access->buffer || setvbuf(access->stream, access->buffer, _IOFBF, record_size))
        return failure_set_error(failure, "setvbuf", ENOMEM, access->name, 0);
    return true;
}

static bool open_map(struct access *access, const struct operation *operation, uint64_t file_size,
                     struct failure *failure)
{
    int protection = operation->writes ? PROT_READ | PROT_WRITE : PROT_READ;
    void *map;

    if (operation->before != WANTS_OLD && ftruncate(access->file, (off_t)file_size))
        return failure_set(failure, "ftruncate", access->name, file_size);
    map = mmap(NULL, file_size, protection, MAP_SHARED, access->file, 0);
    if (map == MAP_FAILED)
        return failure_set(failure, "mmap", access->name, 0);
    access->map = map;
    access->map_size = file_size;
    access->way = operation->writes ? WAY_TO_MAP : WAY_FROM_MAP;
    return true;
}

static void choose_calls(struct access *access, const struct operation *operation)
{
    if (sweep_settings.method == METHOD_POSITIONAL) {
        access->way = operation->writes ? WAY_PWRITE : WAY_PREAD;
    } else {
        access->way = operation->writes ? WAY_WRITE : WAY_READ;
        access->seeks = order_seeks(operation->pattern);
    }
}

bool access_open(struct access *access, int directory, unsigned number, const struct operation *operation,
                 uint64_t file_size, uint64_t record_size, struct failure *failure)
{
    int advice = advice_values[sweep_settings.advice];

    *access = (struct access){.file = -1};
    snprintf(access->name, sizeof access->name, "data.%u", number);
    access->file = openat(directory, access->name, open_flags(operation), 0600);
    if (access->file < 0)
        return failure_set(failure, "open", access->name, 0);
    if (operation->before == WANTS_NONE && sweep_settings.preallocate) {
        errno = posix_fallocate(access->file, 0, (off_t)file_size);
        if (errno)
            return failure_set(failure, "posix_fallocate", access->name, 0);
    }
    if (advice >= 0) {
        errno = posix_fadvise(access->file, 0, 0, advice);
        if (errno)
            return failure_set(failure, "posix_fadvise", access->name, 0);
    }
    if (operation->stdio)
        return open_stream(access, operation, record_size, failure);
    if (sweep_settings.method == METHOD_MMAP)
        return open_map(access, operation, file_size, failure);
    choose_calls(access, operation);
    return true;
}

bool access_go_to(struct access *access, uint64_t offset)
{
    if (access->stream)
        return !fseeko(access->stream, (off_t)offset, SEEK_SET);
    return lseek(access->file, (off_t)offset, SEEK_SET) >= 0;
}

bool access_flush(struct access *access, struct failure *failure)
{
    return !access->stream || !fflush(access->stream) || failure_set(failure, "fflush", access->name, 0);
}

bool access_sync(struct access *access, struct failure *failure)
{
    if (access->map && msync(access->map, access->map_size, MS_SYNC))
        return failure_set(failure, "msync", access->name, 0);
    return !fsync(access->file) || failure_set(failure, "fsync", access->name, 0);
}

bool access_close(struct access *access, struct failure *failure)
{
    bool closed = true;

    if (access->map && munmap(access->map, access->map_size))
        closed = failure_set(failure, "munmap", access->name, 0);
    if (access->stream ? fclose(access->stream) : access->file >= 0 && close(access->file))
        closed = failure_set(failure, "close", access->name, 0);
    free(access->buffer);
    *access = (struct access){.file = -1};
    return closed;
}

static _Thread_local sigjmp_buf *guarded;

static void jump(int signal)
{
    if (guarded)
        siglongjmp(*guarded, 1);
    /* Not from a guarded mapping: end as without a handler. */
    struct sigaction action = {.sa_handler = SIG_DFL};

    sigaction(signal, &action, NULL);
    raise(signal);
}

void access_guard(sigjmp_buf *guard)
{
    struct sigaction action = {.sa_handler = jump};

    guarded = guard;
    sigemptyset(&action.sa_mask);
    sigaction(SIGBUS, &action, NULL);
}
