#include "sweep/ring.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#if __has_include(<linux/io_uring.h>)
#include <linux/io_uring.h>
#endif

/* A macro of Linux 5.11: a header that lacks it is too old. */
#if defined(IORING_FEAT_EXT_ARG) && defined(__NR_io_uring_setup)

#include <linux/time_types.h>

#define NS_PER_S UINT64_C(1000000000)

/* Of later kernels; older ones refuse them. */
#ifndef IORING_SETUP_COOP_TASKRUN
#define IORING_SETUP_COOP_TASKRUN (1U << 8)
#endif
#ifndef IORING_SETUP_SINGLE_ISSUER
#define IORING_SETUP_SINGLE_ISSUER (1U << 12)
#endif
#ifndef IORING_SETUP_DEFER_TASKRUN
#define IORING_SETUP_DEFER_TASKRUN (1U << 13)
#endif

#define NEEDED (IORING_FEAT_SINGLE_MMAP | IORING_FEAT_NODROP | IORING_FEAT_EXT_ARG)

enum { MEMORY_INDEX = 0, FILE_INDEX = 0 };

/* Completions run in ring_enter() rather than as interruptions, where the kernel can do that. */
static int set_up(unsigned depth, struct io_uring_params *params)
{
    static const unsigned flags[] = {IORING_SETUP_SINGLE_ISSUER | IORING_SETUP_DEFER_TASKRUN, IORING_SETUP_COOP_TASKRUN,
                                     0};
    int file = -1;

    for (size_t i = 0; file < 0 && i < sizeof flags / sizeof flags[0]; i++) {
        *params = (struct io_uring_params){.flags = flags[i]};
        file = (int)syscall(__NR_io_uring_setup, depth, params);
        if (file < 0 && errno != EINVAL)
            return -1;
    }
    return file;
}

static const char *reason(int error)
{
    if (error == EPERM)
        return "this system forbids io_uring (sysctl kernel.io_uring_disabled, or the rules of a container)";
    if (error == ENOSYS || error == EINVAL || error == EOPNOTSUPP)
        return "this kernel has no io_uring, or an old one; Linux 5.11 or later is needed";
    if (error == ENOMEM)
        return "io_uring may lock too little memory (ulimit -l)";
    return strerror(error);
}

const char *ring_missing(void)
{
    struct io_uring_params params;
    int file = set_up(1, &params);
    int error = file < 0 ? errno : 0;

    if (file >= 0)
        close(file);
    if (!error && (params.features & NEEDED) != NEEDED)
        error = ENOSYS;
    return error ? reason(error) : NULL;
}

static bool map(struct ring *ring, const struct io_uring_params *params, struct failure *failure)
{
    size_t submissions = params->sq_off.array + params->sq_entries * sizeof(unsigned);
    size_t completions = params->cq_off.cqes + params->cq_entries * sizeof(struct io_uring_cqe);
    int protection = PROT_READ | PROT_WRITE;
    int flags = MAP_SHARED | MAP_POPULATE;
    unsigned char *rings;
    unsigned *order;

    ring->rings_size = submissions > completions ? submissions : completions;
    ring->entries_size = params->sq_entries * sizeof(struct io_uring_sqe);
    rings = mmap(NULL, ring->rings_size, protection, flags, ring->file, IORING_OFF_SQ_RING);
    if (rings == MAP_FAILED)
        return failure_set(failure, "mmap", "", 0);
    ring->rings = rings;
    ring->entries = mmap(NULL, ring->entries_size, protection, flags, ring->file, IORING_OFF_SQES);
    if (ring->entries == MAP_FAILED) {
        ring->entries = NULL;
        return failure_set(failure, "mmap", "", 0);
    }
    ring->submission_tail = (unsigned *)(void *)(rings + params->sq_off.tail);
    ring->submission_mask = *(unsigned *)(void *)(rings + params->sq_off.ring_mask);
    ring->completion_head = (unsigned *)(void *)(rings + params->cq_off.head);
    ring->completion_tail = (unsigned *)(void *)(rings + params->cq_off.tail);
    ring->completion_mask = *(unsigned *)(void *)(rings + params->cq_off.ring_mask);
    ring->completions = (const struct io_uring_cqe *)(void *)(rings + params->cq_off.cqes);
    order = (unsigned *)(void *)(rings + params->sq_off.array);
    for (unsigned i = 0; i < params->sq_entries; i++)
        order[i] = i; /* the entries are used in turn, so the indirection never changes */
    return true;
}

static bool tell_kernel(struct ring *ring, const struct ring_use *use, struct failure *failure)
{
    const struct iovec memory = {use->memory, use->size};

    if (syscall(__NR_io_uring_register, ring->file, IORING_REGISTER_BUFFERS, &memory, 1) < 0 ||
        syscall(__NR_io_uring_register, ring->file, IORING_REGISTER_FILES, &use->file, 1) < 0)
        return failure_set(failure, "io_uring_register", "", 0);
    ring->registered = true;
    return true;
}

bool ring_open(struct ring *ring, const struct ring_use *use, struct failure *failure)
{
    struct io_uring_params params;

    *ring = (struct ring){.data_file = use->file, .writes = use->writes};
    ring->file = set_up(use->depth, &params);
    if (ring->file < 0)
        return failure_set(failure, "io_uring_setup", "", 0);
    if (map(ring, &params, failure) && (!use->registered || tell_kernel(ring, use, failure)))
        return true;
    ring_close(ring);
    return false;
}

void ring_close(struct ring *ring)
{
    /* The kernel dissolves a closed ring later, and could not unmount the file system until then. */
    if (ring->registered)
        syscall(__NR_io_uring_register, ring->file, IORING_UNREGISTER_FILES, NULL, 0);
    if (ring->entries)
        munmap(ring->entries, ring->entries_size);
    if (ring->rings)
        munmap(ring->rings, ring->rings_size);
    if (ring->file >= 0)
        close(ring->file);
    *ring = (struct ring){.file = -1};
}

void ring_queue(struct ring *ring, unsigned slot, void *memory, size_t size, uint64_t offset)
{
    struct io_uring_sqe *entry = &ring->entries[ring->tail & ring->submission_mask];
    int plain = ring->writes ? IORING_OP_WRITE : IORING_OP_READ;
    int fixed = ring->writes ? IORING_OP_WRITE_FIXED : IORING_OP_READ_FIXED;

    *entry = (struct io_uring_sqe){
        .opcode = (uint8_t)(ring->registered ? fixed : plain),
        .flags = (uint8_t)(ring->registered ? IOSQE_FIXED_FILE : 0),
        .fd = ring->registered ? FILE_INDEX : ring->data_file,
        .off = offset,
        .addr = (uint64_t)(uintptr_t)memory,
        .len = (uint32_t)size,
        .buf_index = MEMORY_INDEX,
        .user_data = slot,
    };
    ring->tail++;
    ring->unsubmitted++;
}

bool ring_enter(struct ring *ring, unsigned least, uint64_t timeout_ns)
{
    struct __kernel_timespec time = {(long long)(timeout_ns / NS_PER_S), (long long)(timeout_ns % NS_PER_S)};
    struct io_uring_getevents_arg argument = {.ts = (uint64_t)(uintptr_t)&time};
    unsigned flags = IORING_ENTER_GETEVENTS;
    long submitted;

    __atomic_store_n(ring->submission_tail, ring->tail, __ATOMIC_RELEASE);
    if (timeout_ns == UINT64_MAX)
        submitted = syscall(__NR_io_uring_enter, ring->file, ring->unsubmitted, least, flags, NULL, 0);
    else
        submitted = syscall(__NR_io_uring_enter, ring->file, ring->unsubmitted, least, flags | IORING_ENTER_EXT_ARG,
                            &argument, sizeof argument);
    if (submitted < 0)
        return errno == ETIME;
    ring->unsubmitted -= (unsigned)submitted;
    return true;
}

bool ring_take(struct ring *ring, unsigned *slot, ssize_t *moved)
{
    unsigned head = *ring->completion_head;
    const struct io_uring_cqe *completion = &ring->completions[head & ring->completion_mask];

    if (head == __atomic_load_n(ring->completion_tail, __ATOMIC_ACQUIRE))
        return false;
    *slot = (unsigned)completion->user_data;
    *moved = completion->res;
    __atomic_store_n(ring->completion_head, head + 1, __ATOMIC_RELEASE);
    return true;
}

#else

const char *ring_missing(void)
{
    return "fsload was built without io_uring; <linux/io_uring.h> of Linux 5.11 or later is needed to build it";
}

bool ring_open(struct ring *ring, const struct ring_use *use, struct failure *failure)
{
    *ring = (struct ring){.file = -1, .data_file = use->file};
    return failure_set_error(failure, "io_uring_setup", ENOSYS, "", 0);
}

void ring_close(struct ring *ring)
{
    ring->file = -1;
}

void ring_queue(struct ring *ring, unsigned slot, void *memory, size_t size, uint64_t offset)
{
    (void)ring, (void)slot, (void)memory, (void)size, (void)offset;
}

bool ring_enter(struct ring *ring, unsigned least, uint64_t timeout_ns)
{
    (void)ring, (void)least, (void)timeout_ns;
    errno = ENOSYS;
    return false;
}

bool ring_take(struct ring *ring, unsigned *slot, ssize_t *moved)
{
    (void)ring, (void)slot, (void)moved;
    return false;
}

#endif
