
/* For the files of the FMU. */

/* vehicle_initialise at a time [s]. */
int vehicle_start_at(vehicle *, double time);

/* Whether a step of h from a time on can be divided into solver steps [s]. */
int vehicle_divides(const vehicle *, double time, double h);

/* Looks at what has limits at the present state. Rates and outputs are those of this state afterwards. */
void vehicle_look(vehicle *);

/* Whether row k of what has limits has left them since the last call: then the time [s] and the value. */
int vehicle_has_left(vehicle *, int row, double *t, double *x);

/* The condition that ends runs and is true now, counted from 1, else 0. Returns 0 where it cannot be computed. */
int vehicle_look_at_ends_now(vehicle *, double *ended);

/* Takes the samples that are due; 0 where a value cannot be computed. */
int vehicle_sample(vehicle *);

/* The time of the next sample [s] of a vehicle with samplers. */
double vehicle_next_sample(vehicle *);

/* Derivatives of values by time at the present state, whose rates are in work, with inputs as they go on. */
int vehicle_by_time(vehicle *, double *results);

/* Derivatives of what follows from the start, before a run. The states of carcasses are left out, which
 * vehicle_carcass_states names in the order in which vehicle_carcass_column writes their derivatives by a variable.
 *
 * vehicle_start_along: of the states along a direction, that of vehicle_forward.
 * vehicle_start_against: of a sum of values with weights; adds to starts the derivatives by the states at the start,
 * and begins the results by all variables. vehicle_end_against: adds to the results what starts contribute. */
int vehicle_start_along(vehicle *, const double *direction, double *states);
int vehicle_start_against(vehicle *, const double *weights, double *starts, double *results);
int vehicle_end_against(vehicle *, const double *starts, double *results);
int vehicle_carcass_column(vehicle *, int variable, double *column);
extern const int vehicle_carcass_states[VEHICLE_CARCASS_STATES + 1];
