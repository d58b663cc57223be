/* SIGINT, SIGTERM and SIGHUP end the measurement; the program then cleans up and exits by itself. */
#ifndef FSLOAD_STOP_H
#define FSLOAD_STOP_H

#include <stdatomic.h>
#include <stdbool.h>

void stop_on_signals(void);

/* The signal, for stop_requested(), which is called before each operation. */
extern atomic_int stop_received;

static inline bool stop_requested(void)
{
    return atomic_load_explicit(&stop_received, memory_order_relaxed) != 0;
}

/* The signal that requested the stop; 0 if there was none. */
int stop_signal(void);

#endif
