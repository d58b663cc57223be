/* SIGINT, SIGTERM and SIGHUP end the measurement; the program then cleans up and leaves by itself. */
#ifndef FSLOAD_STOP_H
#define FSLOAD_STOP_H

#include <stdatomic.h>
#include <stdbool.h>

void stop_on_signals(void);

/* The signal, for stop_requested(), which is asked before each operation. */
extern atomic_int stop_received;

static inline bool stop_requested(void)
{
    return atomic_load_explicit(&stop_received, memory_order_relaxed) != 0;
}

/* The signal that asked to stop; 0 where none did. */
int stop_signal(void);

#endif
