/* Group 12, continued: the handles of the shim by themselves, under threads that make, use and free them as fast as
 * they can.
 *
 *     handles OPERATIONS
 *
 * Linked with capi/shim/handles.c. */
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "../../../capi/shim/shim.h" /* whose words host.h has for other things */

#define MUST(condition)                                                                      \
    do {                                                                                     \
        if (!(condition)) {                                                                  \
            dprintf(3, "  %s:%d: %s does not hold\n", __FILE__, __LINE__, #condition);       \
            _exit(1);                                                                        \
        }                                                                                    \
    } while (0)

enum { THREADS = 4, SHARED = 3, HELD = 100000 };

static _Atomic(void *) shared[SHARED];
static long operations;

/* An instance that knows its own handle, in the field for the importer's environment. */
static instance *made(void)
{
    instance *i = calloc(1, sizeof *i);
    MUST(i != NULL && (i->environment = handle_make(i)) != NULL);
    return i;
}

static bool taken(void *handle)
{
    instance *i = handle_take(handle);
    if (i == NULL)
        return false;
    MUST(i->environment == handle);
    handle_retire(i->slot);
    free(i);
    return true;
}

static void *work(void *argument)
{
    unsigned random = (unsigned)(uintptr_t)argument;
    long entered = 0;
    for (long n = 0; n < operations; n++) {
        _Atomic(void *) *place = &shared[(unsigned)rand_r(&random) % SHARED];
        void *handle = *place;
        if ((unsigned)rand_r(&random) % 4 == 0) {
            if (taken(handle))
                *place = made()->environment;
        } else {
            instance *i = handle_enter(handle);
            if (i == NULL)
                continue;
            MUST(i->environment == handle);
            entered++;
            handle_leave(i->slot);
        }
    }
    return (void *)entered;
}

/* ns */
static double enter_cost(void *handle)
{
    clock_t begin = clock();
    for (int n = 0; n < 1000000; n++)
        handle_leave(handle_enter(handle)->slot);
    return (double)(clock() - begin) / CLOCKS_PER_SEC * 1e3;
}

int main(int argc, char **argv)
{
    pthread_t thread[THREADS];
    long entered = 0;
    MUST(argc == 2);
    operations = atol(argv[1]);
    for (int n = 0; n < SHARED; n++)
        shared[n] = made()->environment;
    for (long n = 0; n < THREADS; n++)
        MUST(pthread_create(&thread[n], NULL, work, (void *)(n + 1)) == 0);
    for (int n = 0; n < THREADS; n++) {
        void *result;
        pthread_join(thread[n], &result);
        entered += (long)result;
    }
    MUST(entered > 0);
    void *first = shared[0], **held = calloc(HELD, sizeof *held);
    double few = enter_cost(first);
    for (int n = 0; n < HELD; n++)
        held[n] = made()->environment;
    double many = enter_cost(first), newest = enter_cost(held[HELD - 1]);
    for (int n = 0; n < HELD; n++)
        MUST(taken(held[n]) && !taken(held[n]));
    for (int n = 0; n < SHARED; n++)
        MUST(taken(shared[n]));
    free(held);
    dprintf(3,
            "  handles: %ld calls in %d threads, each on its own instance; entering one costs %.1f ns, beside %d "
            "others %.1f ns, "
            "the newest %.1f ns\n",
            entered, THREADS, few, HELD, many, newest);
    return 0;
}
