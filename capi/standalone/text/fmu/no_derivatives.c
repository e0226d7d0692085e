/* In place of derivatives, where methods of these sources have different ones. */
#include "component.h"

static vehicle_component *of(skidpad_window *w) { return (vehicle_component *)(void *)w; }

int32_t vehicle_derivatives(skidpad_window *w, int32_t adjoint, const uint32_t *unknowns, size_t n_unknowns,
                            const uint32_t *knowns, size_t n_knowns, const double *seed, size_t n_seed,
                            double *sensitivity, size_t n_sensitivity)
{
    vehicle_component *const k = of(w);
    (void)adjoint, (void)unknowns, (void)n_unknowns, (void)knowns, (void)n_knowns;
    (void)seed, (void)n_seed, (void)sensitivity, (void)n_sensitivity;
    if (vehicle_allow(k, VEHICLE_CALL_DERIVATIVES) != OK)
        return ERROR;
    return vehicle_fail_by(k, "these sources compute no derivatives; the model description declares none");
}

int32_t vehicle_get_output_derivatives(skidpad_window *w, const uint32_t *references, size_t n, const int32_t *orders,
                                       double *values)
{
    vehicle_component *const k = of(w);
    (void)references, (void)n, (void)orders, (void)values;
    if (vehicle_allow(k, VEHICLE_CALL_OUTPUT_DERIVATIVES) != OK)
        return ERROR;
    return vehicle_fail_by(k, "these sources compute no derivatives of outputs; maxOutputDerivativeOrder is 0");
}
