
/* For the files of the FMU. */

/* Looks at what has limits at the present state. Rates and outputs are those of this state afterwards. */
void vehicle_look(vehicle *);

/* Whether row k of what has limits has left them since the last call: then the time [s] and the value. */
int vehicle_has_left(vehicle *, int row, double *t, double *x);

/* The condition that ends runs and is true now, counted from 1, else 0. Returns 0 where it cannot be computed. */
int vehicle_look_at_ends_now(vehicle *, double *ended);

/* Adds to a direction of the inputs that prescribed motions go on. */
void vehicle_follow_motions(const vehicle *, double *direction);
