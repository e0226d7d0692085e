/* The vehicle as a WebAssembly module: one instance, in the memory of the module. Addresses are bytes in that memory,
 * which never grows. */
#include "vehicle.c"

#define EXPORT(name) __attribute__((export_name(#name)))

/* Compilers make calls of these; with -mbulk-memory each of them is one instruction. */
void *memcpy(void *to, const void *from, size_t n) { return __builtin_memcpy(to, from, n); }
void *memmove(void *to, const void *from, size_t n) { return __builtin_memmove(to, from, n); }
void *memset(void *to, int value, size_t n) { return __builtin_memset(to, value, n); }

static vehicle instance;
static double rates_at[VEHICLE_STATES + VEHICLE_ALL_INPUTS + 1], rates[VEHICLE_STATES + 1];
static unsigned char saved[sizeof(vehicle) + 64]; /* numbers of the instance, and what stands before them */

EXPORT(reset) void reset(void) { vehicle_reset(&instance); }
EXPORT(initialise) int initialise(void) { return vehicle_initialise(&instance); }
EXPORT(set_method) int set_method(int method) { return vehicle_set_method(&instance, method); }
EXPORT(parameter) double *parameter(void) { return vehicle_parameter(&instance); }
EXPORT(input) double *input(void) { return vehicle_input(&instance); }
EXPORT(input_rate) double *input_rate(void) { return vehicle_input_rate(&instance); }
EXPORT(state) double *state(void) { return vehicle_state(&instance); }
EXPORT(step) int step(double h) { return vehicle_step(&instance, h); }
EXPORT(output) const double *output(void) { return vehicle_output(&instance); }
EXPORT(time) double time(void) { return vehicle_time(&instance); }
EXPORT(warnings) unsigned long long warnings(void) { return vehicle_warnings(&instance); }
EXPORT(ended) int ended(void) { return vehicle_ended(&instance); }

/* States, then inputs, are written at rates_of; 0 where there are no rates. */
EXPORT(rates_of) double *rates_of(void) { return rates_at; }
EXPORT(rates) const double *rates_there(void)
{
    return vehicle_rates(&instance, rates_at, rates_at + VEHICLE_STATES, rates) == VEHICLE_OK ? rates : NULL;
}

EXPORT(saved) unsigned char *saved_at(void) { return saved; }
EXPORT(room) size_t room(void) { return sizeof saved; }
EXPORT(save) size_t save(void) { return vehicle_save(&instance, saved, sizeof saved); }
EXPORT(restore) int restore(size_t size) { return vehicle_restore(&instance, saved, size); }
