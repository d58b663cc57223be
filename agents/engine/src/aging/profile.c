#include "aging/profile.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

static const char *const files[] = {"size.txt", "age.txt", "directory.txt"};

/* Copies of agents/engine/profiles, so that the program needs no other file. A test compares them. */
static const struct {
    const char *name;
    const char *texts[3]; /* sizes, ages, depths */
} built_in[] = {
    {"desktop",
     {"14\n300 14\n900 39\n2500 71\n6000 98\n14000 112\n32000 104\n75000 83\n180000 57\n420000 38\n"
      "1000000 27\n2800000 31\n6500000 22\n18000000 5\n70000000 1\n",
      "7\n1 5\n4 16\n16 71\n60 184\n180 282\n500 267\n1440 175\n",
      "10\n0 4 1\n1 19 11\n2 52 34\n3 97 71\n4 113 92\n5 76 63\n6 41 30\n7 18 13\n8 7 5\n9 2 2\n"}},
    {"developer",
     {"14\n0 9\n120 61\n400 133\n1000 208\n2400 236\n5200 191\n11000 118\n24000 69\n60000 38\n"
      "150000 19\n400000 9\n1300000 4\n6000000 2\n40000000 1\n",
      "7\n1 14\n2 13\n7 61\n30 246\n90 293\n200 208\n365 165\n",
      "12\n1 6 4\n2 23 17\n3 58 52\n4 121 118\n5 174 163\n6 152 147\n7 98 91\n8 57 49\n9 29 24\n"
      "10 13 11\n11 5 4\n12 2 2\n"}},
    {"mail",
     {"13\n1200 46\n2300 151\n3600 207\n5500 186\n9000 143\n18000 97\n40000 66\n95000 48\n260000 35\n"
      "800000 24\n2200000 13\n7500000 5\n20000000 1\n",
      "7\n2 11\n7 27\n30 128\n120 302\n365 291\n800 158\n1800 83\n",
      "6\n1 2 1\n2 5 26\n3 64 210\n4 388 640\n5 207 330\n6 31 54\n"}},
};

static bool read_one(struct distribution *distribution, enum distribution_kind kind, const char *profile,
                     const char *file)
{
    char path[PATH_MAX];
    int length;

    if (file)
        return distribution_read(distribution, kind, file);
    for (size_t i = 0; i < sizeof built_in / sizeof built_in[0]; i++)
        if (!strcmp(built_in[i].name, profile))
            return distribution_parse(distribution, kind, profile, built_in[i].texts[kind]);
    length = snprintf(path, sizeof path, "%s/%s", profile, files[kind]);
    if (length < 0 || (size_t)length >= sizeof path) {
        fprintf(stderr, "fsload: %s: the name is too long\n", profile);
        return false;
    }
    return distribution_read(distribution, kind, path);
}

bool profile_read(struct profile *profile, const char *name, const char *sizes, const char *ages, const char *depths)
{
    bool right = read_one(&profile->sizes, DISTRIBUTION_SIZE, name, sizes);

    right = read_one(&profile->ages, DISTRIBUTION_AGE, name, ages) && right;
    return read_one(&profile->depths, DISTRIBUTION_DEPTH, name, depths) && right;
}
