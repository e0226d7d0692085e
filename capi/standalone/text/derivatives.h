
/* Derivatives of the rates of states and of the outputs, one after the other (VEHICLE_VALUES numbers), by parameters,
 * states and inputs, one after the other (VEHICLE_VARIABLES numbers), at states x with inputs u. They are exact, except
 * those by parameters of a road, which are differences. At a kink, such as that of max, they are those of one side.
 * Parameters are those since vehicle_initialise, the method is the present one. There is no effect on the run.
 * VEHICLE_ERROR: the vehicle is not initialised, or an argument of a function is not finite or out of range. A
 * derivative that has no finite value is written as what it is, an infinity or not a number.
 *
 * vehicle_forward: of all values along each of several directions, which stand one after the other. A direction has a
 * number for every variable, a result one for every value: the sum of derivatives by variables times their numbers. */
int vehicle_forward(vehicle *, const double *x, const double *u, int count, const double *directions, double *results);

/* By all variables, of each of several sums of values with weights: a number for every value, for every variable in
 * the result. */
int vehicle_adjoint(vehicle *, const double *x, const double *u, int count, const double *weights, double *results);

/* By states and inputs: the entries of the Jacobian that can be non-zero, column by column. Entry k is the derivative
 * of value vehicle_entry_row[k] by variable vehicle_entry_column[k], and has the bits of vehicle_forward. */
int vehicle_jacobian(vehicle *, const double *x, const double *u, double *entries);
extern const int vehicle_entry_row[VEHICLE_ENTRIES + 1], vehicle_entry_column[VEHICLE_ENTRIES + 1];
