/* Carries out commands that it reads, and writes what the vehicle answers. */
#include "vehicle.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void in(void *to, size_t size)
{
    if (size != 0 && fread(to, size, 1, stdin) != 1)
        exit(3);
}

static void out(const void *from, size_t size)
{
    if (size != 0 && fwrite(from, size, 1, stdout) != 1)
        exit(4);
}

static void status(int is)
{
    const int32_t word = is;
    out(&word, sizeof word);
}

#ifdef TIRES
#include "skidpad_tire.h"

extern skidpad_tire_entry TIRES;

/* Gives all tires the function TIRES, with a parameter file. */
static void mount(vehicle *c, const char *file)
{
    const skidpad_tire *function = TIRES(SKIDPAD_TIRE_ABI);
    char error[200];
    int k;
    for (k = 0; k < VEHICLE_TIRES; k++) {
        void *instance = NULL;
        double none = 0;
        if (function->init(vehicle_tire_table[k], file, &none, &instance, error, sizeof error) != 0 ||
            vehicle_set_tire(c, k, function->inputs, (int)function->input_count, function->evaluate, instance) !=
                VEHICLE_OK)
            exit(6);
    }
}
#endif

int main(int argc, char **argv)
{
    static vehicle two[2];
    vehicle *c = &two[0];
    char command;
#ifdef DERIVATIVES
    static double two_of[2 * (VEHICLE_VARIABLES + VEHICLE_VALUES)], results[2 * (VEHICLE_VARIABLES + VEHICLE_VALUES)];
    static double entries[VEHICLE_ENTRIES + 1];
    int k;
#endif
    vehicle_reset(c);
    (void)argc;
    (void)argv;
#ifdef TIRES
    mount(c, argv[1]);
    mount(two + 1, argv[1]);
#endif
    while (fread(&command, 1, 1, stdin) == 1) {
        double h, dx[VEHICLE_STATES + 1];
        unsigned long long warnings;
        const double *y;
        unsigned char *saved;
        switch (command) {
        case 'r':
            vehicle_reset(c);
            break;
        case 'p':
            in(vehicle_parameter(c), sizeof(double) * VEHICLE_PARAMETERS);
            break;
        case 'i':
            status(vehicle_initialise(c));
            break;
        case 'n':
            status((fread(&command, 1, 1, stdin) == 1) ? vehicle_set_method(c, command) : 9);
            status(vehicle_method(c));
            break;
        case 'u':
            in(vehicle_input(c), sizeof(double) * VEHICLE_INPUTS);
            in(vehicle_input_rate(c), sizeof(double) * VEHICLE_INPUTS);
            break;
        case 's':
            in(&h, sizeof h);
            status(vehicle_step(c, h));
            break;
        case 'x':
            h = vehicle_time(c);
            out(&h, sizeof h);
            out(vehicle_state(c), sizeof(double) * VEHICLE_STATES);
            out(vehicle_input(c), sizeof(double) * VEHICLE_INPUTS);
            break;
        case 'd':
            status(vehicle_rates(c, vehicle_state(c), vehicle_input(c), dx));
            out(dx, sizeof(double) * VEHICLE_STATES);
            break;
        case 'y':
            y = vehicle_output(c);
            status(y != NULL);
            if (y != NULL)
                out(y, sizeof(double) * VEHICLE_OUTPUTS);
            break;
        case 'w':
            warnings = vehicle_warnings(c);
            out(&warnings, sizeof warnings);
            status(vehicle_ended(c));
            break;
        case 'v': /* to the other instance, by a saved state */
            saved = (unsigned char *)malloc(vehicle_save_size());
            if (saved == NULL || vehicle_save(c, saved, vehicle_save_size()) != vehicle_save_size())
                return 5;
            c = c == two ? two + 1 : two;
            status(vehicle_restore(c, saved, vehicle_save_size()));
            free(saved);
            break;
        case 'm': /* to the other instance, by its bytes */
            memcpy(c == two ? two + 1 : two, c, sizeof *c);
            memset(c, 0x55, sizeof *c);
            c = c == two ? two + 1 : two;
            break;
#ifdef DERIVATIVES
        case 'F': /* along two directions */
            in(two_of, sizeof(double) * 2 * VEHICLE_VARIABLES);
            status(vehicle_forward(c, vehicle_state(c), vehicle_input(c), 2, two_of, results));
            out(results, sizeof(double) * 2 * VEHICLE_VALUES);
            break;
        case 'A': /* against two */
            in(two_of, sizeof(double) * 2 * VEHICLE_VALUES);
            status(vehicle_adjoint(c, vehicle_state(c), vehicle_input(c), 2, two_of, results));
            out(results, sizeof(double) * 2 * VEHICLE_VARIABLES);
            break;
        case 'J':
            status(vehicle_jacobian(c, vehicle_state(c), vehicle_input(c), entries));
            status(VEHICLE_ENTRIES);
            for (k = 0; k < VEHICLE_ENTRIES; k++) {
                status(vehicle_entry_row[k]);
                status(vehicle_entry_column[k]);
                out(entries + k, sizeof *entries);
            }
            break;
#endif
        default:
            return 2;
        }
    }
    return 0;
}
