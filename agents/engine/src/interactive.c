#include "interactive.h"

#include "stop.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define JOB_BYTES 4096U
#define JOB_FILE "interactive"
#define NS_PER_S 1000000000U
#define MAX_PERIOD_NS (UINT64_C(1) << 60) /* longer than any run; twice that can be added to a time without overflow */

const char *const interactive_names[INTERACTIVE_STEPS] = {"interactive_open",  "interactive_write",
                                                         "interactive_fsync", "interactive_stat",
                                                         "interactive_remove", "interactive_job"};

/* fsload runs only one such job. `mutex` guards the members that the thread and the reporter share. */
static struct {
    pthread_t thread;
    bool running;
    atomic_bool ending;
    int directory;
    uint64_t period_ns;
    struct data data;
    pthread_mutex_t mutex;
    pthread_cond_t done;
    pthread_cond_t wake; /* wakes the thread for its end */
    uint64_t due_ns;  /* of the current or next job */
    uint64_t from_ns; /* jobs due from from_ns until to_ns belong to the measurement */
    atomic_uint_least64_t to_ns;
    struct failure failure;
    struct counter counters[INTERACTIVE_STEPS];
} job = {.mutex = PTHREAD_MUTEX_INITIALIZER, .done = PTHREAD_COND_INITIALIZER, .wake = PTHREAD_COND_INITIALIZER};

/* Record the duration of a step that began at *before, and set *before to now; both in ticks. */
static void took(uint64_t ticks[INTERACTIVE_STEPS], enum interactive_step step, uint64_t *before)
{
    uint64_t now = clock_ticks();

    ticks[step] = now - *before;
    *before = now;
}

static bool do_job(uint64_t ticks[INTERACTIVE_STEPS], struct failure *failure)
{
    uint64_t before = clock_ticks();
    struct stat status;
    bool done = false;
    int file = openat(job.directory, JOB_FILE, O_RDWR | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0600);

    took(ticks, STEP_OPEN, &before);
    if (file < 0)
        return failure_set(failure, "open", JOB_FILE, 0);
    if (write(file, data_record(&job.data, JOB_BYTES), JOB_BYTES) != (ssize_t)JOB_BYTES) {
        failure_set(failure, "write", JOB_FILE, 0);
    } else {
        took(ticks, STEP_WRITE, &before);
        done = !fsync(file) || failure_set(failure, "fsync", JOB_FILE, 0);
        took(ticks, STEP_FSYNC, &before);
        done = done && (!fstatat(job.directory, JOB_FILE, &status, AT_SYMLINK_NOFOLLOW) ||
                        failure_set(failure, "stat", JOB_FILE, 0));
        took(ticks, STEP_STAT, &before);
    }
    close(file);
    if (unlinkat(job.directory, JOB_FILE, 0) && done)
        done = failure_set(failure, "unlink", JOB_FILE, 0);
    took(ticks, STEP_REMOVE, &before);
    return done;
}

/* Count a job that was due at job.due_ns, if it belongs to a measurement, and set the next one's time. */
static void keep(uint64_t ticks[INTERACTIVE_STEPS], bool done, const struct failure *failure)
{
    ticks[STEP_JOB] = (uint64_t)((double)(clock_now_ns() - job.due_ns) / clock_ns_per_tick());
    pthread_mutex_lock(&job.mutex);
    if (job.due_ns >= job.from_ns && job.due_ns < job.to_ns && done) {
        for (unsigned step = 0; step < INTERACTIVE_STEPS; step++) {
            job.counters[step].operations++;
            histogram_add(&job.counters[step].latencies, ticks[step]);
        }
        job.counters[STEP_JOB].bytes += JOB_BYTES;
        job.counters[STEP_WRITE].bytes += JOB_BYTES;
    } else if (job.due_ns >= job.from_ns && job.due_ns < job.to_ns && !failed(&job.failure)) {
        job.failure = *failure;
    }
    job.due_ns += job.period_ns;
    pthread_cond_broadcast(&job.done);
    pthread_mutex_unlock(&job.mutex);
}

/* Wait until a time. False if the thread is to end first: at a low rate, the next job may be due in hours. */
static bool wait_until(uint64_t ns)
{
    struct timespec due = {(time_t)(ns / NS_PER_S), (long)(ns % NS_PER_S)};

    pthread_mutex_lock(&job.mutex);
    while (!atomic_load(&job.ending) && clock_now_ns() < ns)
        pthread_cond_clockwait(&job.wake, &job.mutex, CLOCK_MONOTONIC, &due);
    pthread_mutex_unlock(&job.mutex);
    return !atomic_load(&job.ending);
}

/* Jobs are due at fixed times, independent of the duration of the previous job; a delayed start counts as waiting. */
static void *work(void *argument)
{
    while (wait_until(job.due_ns)) { /* only this thread changes it */
        uint64_t ticks[INTERACTIVE_STEPS] = {0};
        struct failure failure = {0};
        bool done = do_job(ticks, &failure);

        keep(ticks, done, &failure);
    }
    return argument;
}

bool interactive_start(int directory, double rate)
{
    if (!data_allocate(&job.data, JOB_BYTES, 0, 0))
        return false;
    job.directory = directory;
    job.due_ns = clock_now_ns();
    job.period_ns = NS_PER_S / rate < (double)MAX_PERIOD_NS ? (uint64_t)(NS_PER_S / rate) : MAX_PERIOD_NS;
    errno = pthread_create(&job.thread, NULL, work, NULL);
    job.running = errno == 0;
    if (!job.running)
        data_free(&job.data);
    return job.running;
}

void interactive_stop(void)
{
    if (!job.running)
        return;
    pthread_mutex_lock(&job.mutex);
    atomic_store(&job.ending, true);
    pthread_cond_signal(&job.wake);
    pthread_mutex_unlock(&job.mutex);
    pthread_join(job.thread, NULL);
    data_free(&job.data);
    job.running = false;
}

uint64_t interactive_begin(void)
{
    uint64_t now;

    if (!job.running)
        return clock_now_ns();
    pthread_mutex_lock(&job.mutex);
    memset(job.counters, 0, sizeof job.counters);
    job.failure = (struct failure){0};
    job.to_ns = UINT64_MAX;
    now = job.from_ns = clock_now_ns();
    pthread_mutex_unlock(&job.mutex);
    return now;
}

/* Without the mutex: the job's thread may hold it, and the measured time must not contain that wait. */
uint64_t interactive_end(void)
{
    uint64_t now = clock_now_ns();

    atomic_store(&job.to_ns, now);
    return now;
}

/* The worst stalls outlast the workload. If the rate is too high for the disk, the wait can take hours. */
void interactive_wait(void)
{
    if (!job.running)
        return;
    pthread_mutex_lock(&job.mutex);
    while (!stop_requested() && job.from_ns < job.to_ns && job.due_ns < job.to_ns)
        pthread_cond_wait(&job.done, &job.mutex);
    job.from_ns = job.to_ns;
    pthread_mutex_unlock(&job.mutex);
}

const struct counter *interactive_counters(struct failure *failure)
{
    *failure = job.failure;
    return job.running ? job.counters : NULL;
}
