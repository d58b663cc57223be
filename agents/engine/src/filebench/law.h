/* A size that is fixed, or drawn from a gamma distribution as WML's cvar-gamma. */
#ifndef FSLOAD_FILEBENCH_LAW_H
#define FSLOAD_FILEBENCH_LAW_H

#include "random.h"

#include <stdbool.h>
#include <stdint.h>

#define WML_MAX_SIZE (UINT64_C(1) << 50)

struct wml_law {
    bool drawn;
    uint64_t fixed;
    double mean;
    double shape;   /* WML calls it gamma */
    uint64_t min;
    uint64_t max;
    uint64_t round; /* to multiples of this; 0: not */
};

/* A number from the gamma distribution, with mean shape × scale; both > 0. */
double wml_gamma(struct random *random, double shape, double scale);

/* A size by this law, at most WML_MAX_SIZE. */
uint64_t wml_draw(const struct wml_law *law, struct random *random);

#endif
