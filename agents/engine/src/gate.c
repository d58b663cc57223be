#include "gate.h"

void gate_init(struct gate *gate)
{
    pthread_mutex_init(&gate->mutex, NULL);
    pthread_cond_init(&gate->changed, NULL);
    gate->waiting = 0;
    gate->open = false;
    gate->cancelled = false;
}

void gate_destroy(struct gate *gate)
{
    pthread_cond_destroy(&gate->changed);
    pthread_mutex_destroy(&gate->mutex);
}

bool gate_wait(struct gate *gate, bool ok)
{
    bool go;

    pthread_mutex_lock(&gate->mutex);
    gate->waiting++;
    gate->cancelled = gate->cancelled || !ok;
    pthread_cond_broadcast(&gate->changed);
    while (!gate->open && !gate->cancelled)
        pthread_cond_wait(&gate->changed, &gate->mutex);
    go = !gate->cancelled;
    pthread_mutex_unlock(&gate->mutex);
    return go;
}

void gate_open(struct gate *gate, unsigned threads)
{
    pthread_mutex_lock(&gate->mutex);
    while (gate->waiting < threads && !gate->cancelled)
        pthread_cond_wait(&gate->changed, &gate->mutex);
    gate->open = true;
    pthread_cond_broadcast(&gate->changed);
    pthread_mutex_unlock(&gate->mutex);
}

void gate_cancel(struct gate *gate)
{
    pthread_mutex_lock(&gate->mutex);
    gate->cancelled = true;
    pthread_cond_broadcast(&gate->changed);
    pthread_mutex_unlock(&gate->mutex);
}
