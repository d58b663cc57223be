#include "worker.h"

#include "random.h"
#include "stop.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

/* The first thread that fails tells the others to stop. */
static void tell_failure(struct worker *worker)
{
    int none = -1;

    worker->complete = false;
    atomic_compare_exchange_strong(&worker->task->first_failed, &none, (int)worker->index);
}

static bool fail(struct worker *worker, const char *call, int error, uint64_t offset)
{
    worker->failure = (struct failure){.call = call, .error = error, .offset = offset};
    workspace_file_name(worker->failure.file, worker->index);
    tell_failure(worker);
    return false;
}

static int open_file(struct worker *worker)
{
    const struct task *task = worker->task;
    int file;
    int flags = task->operation->writes ? O_RDWR : O_RDONLY;

    if (task->operation->creates)
        flags |= O_CREAT | O_TRUNC;
    if (task->direct)
        flags |= O_DIRECT;
    file = workspace_open_file(task->workspace, worker->index, flags, &worker->failure);
    if (file < 0)
        tell_failure(worker);
    return file;
}

/* Read or write one whole record where the file stands. A transfer that the kernel cuts short is continued. */
static bool transfer(struct worker *worker, int file, uint64_t offset)
{
    bool writes = worker->task->operation->writes;
    size_t size = (size_t)worker->task->record_size;
    unsigned char *memory = writes ? data_record(&worker->data, size) : worker->data.target;

    for (size_t done = 0; done < size;) {
        ssize_t moved = writes ? write(file, memory + done, size - done) : read(file, memory + done, size - done);

        if (moved > 0) {
            done += (size_t)moved;
        } else if (moved == 0 || errno != EINTR) {
            return fail(worker, writes ? "write" : "read", moved ? errno : 0, offset + done);
        }
    }
    return true;
}

/* All records, in the order of the operation. The end of one operation is the start of the next. */
static bool transfer_all(struct worker *worker, int file)
{
    struct task *task = worker->task;
    uint64_t records = task->file_size / task->record_size;
    struct permutation order = permutation_make(records, random_mix(task->seed, worker->index));
    uint64_t before = worker->start_ns;

    for (uint64_t i = 0; i < records; i++) {
        uint64_t offset = (task->operation->random ? permutation_at(&order, i) : i) * task->record_size;
        uint64_t now;

        if (stop_requested() || atomic_load_explicit(&task->first_failed, memory_order_relaxed) >= 0)
            return false;
        if (task->operation->random && lseek(file, (off_t)offset, SEEK_SET) < 0)
            return fail(worker, "lseek", errno, offset);
        if (!transfer(worker, file, offset))
            return false;
        now = clock_now_ns();
        histogram_add(&worker->latencies, now - before);
        before = now;
        worker->operations++;
    }
    return true;
}

static bool flush(struct worker *worker, int file)
{
    return fsync(file) == 0 || fail(worker, "fsync", errno, 0);
}

static void measure(struct worker *worker, int file)
{
    const struct task *task = worker->task;
    struct cpu_time before = cpu_time_of_thread();

    worker->start_ns = clock_now_ns();
    worker->complete = transfer_all(worker, file);
    if (worker->complete && task->operation->writes && task->fsync)
        flush(worker, file);
    worker->end_ns = clock_now_ns();
    worker->cpu = cpu_time_difference(cpu_time_of_thread(), before);
}

/*
 * Write back and close, outside the time, so that the next test does not meet this one's dirty pages. What goes wrong
 * here is still the test's failure: its data have not arrived.
 */
static void finish(struct worker *worker, int file)
{
    const struct task *task = worker->task;

    if (worker->complete && task->operation->writes && !task->fsync)
        flush(worker, file);
    if (close(file) && worker->complete)
        fail(worker, "close", errno, 0);
}

void *worker_main(void *argument)
{
    struct worker *worker = argument;
    int file = open_file(worker);

    if (gate_wait(&worker->task->gate, file >= 0))
        measure(worker, file);
    if (file >= 0)
        finish(worker, file);
    return NULL;
}
