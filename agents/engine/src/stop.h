/* SIGINT, SIGTERM and SIGHUP end the measurement; the program then cleans up and leaves by itself. */
#ifndef FSLOAD_STOP_H
#define FSLOAD_STOP_H

#include <stdbool.h>

void stop_on_signals(void);
bool stop_requested(void);

/* The signal that asked to stop; 0 where none did. */
int stop_signal(void);

#endif
