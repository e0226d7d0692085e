/* Evaluates n tires: the member evaluate of skidpad_tire.h. */
typedef int32_t vehicle_tire_function(size_t n, void *const *instances, const double *inputs, const double *states,
                                      double *outputs, double *rates);

/* Gives a tire of vehicle_tire_table its function: the names of what it asks for and their number, and an instance that
 * init has made for this tire; all as in skidpad_tire.h. The function has no internal states. Functions are given
 * between vehicle_reset, which forgets them, and vehicle_initialise or vehicle_restore. They are no part of what
 * vehicle_save writes. A copy by memcpy has the functions and instances of the original. VEHICLE_ERROR: there is no
 * such tire, or nothing that the function asks for by one of the names. */
enum { VEHICLE_TIRE_INPUTS = 64 }; /* at most */
int vehicle_set_tire(vehicle *, int tire, const char *const *inputs, int input_count, vehicle_tire_function *evaluate,
                     void *instance);

typedef struct { /* as vehicle_set_tire leaves it */
    vehicle_tire_function *evaluate;
    void *instance;
    int input_count, inputs[VEHICLE_TIRE_INPUTS];
} vehicle_tire;
