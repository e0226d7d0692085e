/* Threads that enter the same instance of the shim as fast as they can: no two are inside together. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#include "../shim/shim.h"

enum { THREADS = 3, ENTRIES = 300000 };

static void *handle;
static atomic_int inside, met;

static void *work(void *none)
{
    for (int entered = 0; entered < ENTRIES;) {
        instance *i = handle_enter(handle);
        if (i == NULL)
            continue;
        if (atomic_fetch_add_explicit(&inside, 1, memory_order_relaxed) != 0)
            met = 1;
        atomic_fetch_sub_explicit(&inside, 1, memory_order_relaxed);
        handle_leave(i->slot);
        entered++;
    }
    return none;
}

int main(void)
{
    pthread_t thread[THREADS];
    instance *i = calloc(1, sizeof *i);
    if (i == NULL || (handle = handle_make(i)) == NULL)
        return 2;
    for (int n = 0; n < THREADS; n++)
        if (pthread_create(&thread[n], NULL, work, NULL) != 0)
            return 2;
    for (int n = 0; n < THREADS; n++)
        pthread_join(thread[n], NULL);
    if (met) {
        puts("two calls were inside one instance");
        return 1;
    }
    if (handle_take(handle) != i || handle_enter(handle) != NULL) {
        puts("a handle that was taken still enters");
        return 1;
    }
    puts("ok");
    return 0;
}
