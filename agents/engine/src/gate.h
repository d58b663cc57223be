/* Holds the threads of a test back until all of them are ready. */
#ifndef FSLOAD_GATE_H
#define FSLOAD_GATE_H

#include <pthread.h>
#include <stdbool.h>

struct gate {
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    unsigned waiting;
    bool open;
    bool cancelled;
};

void gate_init(struct gate *gate);
void gate_destroy(struct gate *gate);

/* A thread is ready, or (with ok false) will never be. True once all may start, false if the gate was cancelled. */
bool gate_wait(struct gate *gate, bool ok);

/* Wait for this many threads, then let them all start. */
void gate_open(struct gate *gate, unsigned threads);

/* Make gate_wait() return false in all threads. */
void gate_cancel(struct gate *gate);

#endif
