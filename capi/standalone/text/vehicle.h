/* An instance. Its size is known, the caller places it, and it may be moved by memcpy. Two instances never share
 * anything but constants: threads may step different ones at the same time.
 *
 * A run: vehicle_reset, write parameters and inputs, vehicle_initialise; then write inputs, vehicle_step, read states
 * and outputs, as often as wanted. Angles are in rad, other units and all names are in the tables. */
void vehicle_reset(vehicle *);

/* Computes the start state from parameters and inputs. VEHICLE_ERROR: one of them is outside of the bounds in its
 * table, the start violates constraints, or it is not finite. Parameters that are written later have no effect until
 * the next call. */
int vehicle_initialise(vehicle *);

/* Takes a method of vehicle_method_table by its index for the following steps. The first one is that of vehicle_reset;
 * vehicle_initialise keeps the method. VEHICLE_ERROR: there is none of this index, and nothing has changed. */
int vehicle_set_method(vehicle *, int method);
int vehicle_method(const vehicle *);

/* The values in the order of the tables. A rate [1/s] continues its input linearly within a step; it stays until it is
 * written again. */
double *vehicle_parameter(vehicle *);
double *vehicle_input(vehicle *);
double *vehicle_input_rate(vehicle *);
double *vehicle_state(vehicle *);

/* Steps by h [s], divided into equal solver steps that are not longer than those of the model. VEHICLE_WARNING:
 * something left its range in this step, see vehicle_warnings. VEHICLE_ENDED: a condition that ends runs has become
 * true, see vehicle_ended; steps remain possible. VEHICLE_ERROR: nothing has changed, since h is not a finite number
 * above 0, the vehicle is not initialised, or a state or an argument of a function is not finite or out of range. */
int vehicle_step(vehicle *, double h);

/* Rates dx [1/s] of states x with inputs u, without an effect on the run: VEHICLE_OK or VEHICLE_ERROR. */
int vehicle_rates(vehicle *, const double *x, const double *u, double *dx);

/* The outputs at the present states and inputs, in the order of their table; NULL where they cannot be computed. */
const double *vehicle_output(vehicle *);

double vehicle_time(const vehicle *); /* [s] */

/* What left its range since the last call: bit n belongs to vehicle_warning_table[n]. */
unsigned long long vehicle_warnings(vehicle *);

/* The condition that became true first, an index of vehicle_end_table; -1 for none. */
int vehicle_ended(const vehicle *);

/* States, inputs, rates, parameters, method, time and warnings as bytes that are the same on every machine.
 * vehicle_save returns how many bytes it wrote: 0 where size is too small. vehicle_restore returns VEHICLE_ERROR and
 * changes nothing where the bytes are of another program, or incomplete, or have a number that no state has. */
size_t vehicle_save_size(void);
size_t vehicle_save(const vehicle *, void *to, size_t size);
int vehicle_restore(vehicle *, const void *from, size_t size);
