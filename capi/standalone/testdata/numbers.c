/* Writes numbers with as many digits as asked for, as messages of sources have them. A line of the input has the bits
 * of a number and the digits. */
#include "component.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

int main(void)
{
    uint64_t bits;
    int digits;
    while (scanf("%" SCNx64 " %d", &bits, &digits) == 2) {
        vehicle_text t;
        double x;
        memcpy(&x, &bits, sizeof x);
        vehicle_begin_text(&t);
        vehicle_put_number(&t, x, digits);
        puts(t.text);
    }
    return 0;
}
