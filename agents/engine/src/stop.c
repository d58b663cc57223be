#include "stop.h"

#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>

atomic_int stop_received;

static void remember(int signal)
{
    atomic_store_explicit(&stop_received, signal, memory_order_relaxed);
}

void stop_on_signals(void)
{
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
    struct sigaction action;

    memset(&action, 0, sizeof action);
    action.sa_handler = remember; /* without SA_RESTART, so that a blocked call returns */
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++)
        sigaction(signals[i], &action, NULL);
    /* A closed pipe and a file beyond its limit then fail as writes, and fsload still cleans up. */
    action.sa_handler = SIG_IGN;
    sigaction(SIGPIPE, &action, NULL);
    sigaction(SIGXFSZ, &action, NULL);
}

int stop_signal(void)
{
    return atomic_load_explicit(&stop_received, memory_order_relaxed);
}
