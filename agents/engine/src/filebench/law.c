#include "filebench/law.h"

#include <math.h>

/* A number from the standard normal distribution (Box and Muller, without the second number of each pair). */
static double normal(struct random *random)
{
    double radius = sqrt(-2 * log(1 - random_real(random)));

    return radius * cos(2 * 3.14159265358979323846 * random_real(random));
}

/*
 * Marsaglia, Tsang: A simple method for generating gamma variables, ACM TOMS 26 (2000). For shapes below 1: a number
 * for shape + 1, times U^(1/shape).
 */
double wml_gamma(struct random *random, double shape, double scale)
{
    double boost = shape < 1 ? pow(1 - random_real(random), 1 / shape) : 1;
    double d = (shape < 1 ? shape + 1 : shape) - 1.0 / 3;
    double c = 1 / sqrt(9 * d);

    for (;;) {
        double x = normal(random);
        double v = (1 + c * x) * (1 + c * x) * (1 + c * x);

        if (v > 0 && log(1 - random_real(random)) < x * x / 2 + d - d * v + d * log(v))
            return boost * d * v * scale;
    }
}

uint64_t wml_draw(const struct wml_law *law, struct random *random)
{
    double drawn;
    uint64_t size;

    if (!law->drawn)
        return law->fixed;
    drawn = wml_gamma(random, law->shape, law->mean / law->shape);
    size = drawn < (double)WML_MAX_SIZE ? (uint64_t)drawn : WML_MAX_SIZE;
    if (law->round)
        size = (size + law->round / 2) / law->round * law->round;
    if (size < law->min)
        return law->min;
    return size > law->max ? law->max : size;
}
