#include "aging/age_settings.h"

#include "common.h"

#include <stdio.h>

struct age_settings age_settings = {.profile_name = "desktop", .fullness = 0.8, .overwrites = 10};

static const struct option_spec rows[] = {
    {.name = "profile", .kind = OPTION_TEXT, .text = &age_settings.profile_name, .value = "NAME",
     .help = "desktop, developer, mail, or a directory with size.txt, age.txt, directory.txt (desktop)"},
    {.name = "size-distribution", .kind = OPTION_TEXT, .text = &age_settings.sizes, .value = "FILE",
     .help = "distribution of file sizes, in the place of the profile's"},
    {.name = "age-distribution", .kind = OPTION_TEXT, .text = &age_settings.ages, .value = "FILE",
     .help = "distribution of file ages, in the place of the profile's"},
    {.name = "directory-distribution", .kind = OPTION_TEXT, .text = &age_settings.directories, .value = "FILE",
     .help = "distribution of directory depths, in the place of the profile's"},
    {.name = "fullness", .kind = OPTION_REAL, .real = &age_settings.fullness, .max = 1, .value = "SHARE",
     .help = "of the capacity that is in use from then on (0.8)"},
    {.name = "overwrites", .kind = OPTION_REAL, .real = &age_settings.overwrites, .max = 1000000, .value = "N",
     .help = "how often the capacity is written in all (10)"},
    {.name = "capacity", .kind = OPTION_SIZE, .number = &age_settings.capacity, .value = "SIZE",
     .help = "take this for the size of the file system (its own size, all its files counted)"},
    {.name = "fallocate", .kind = OPTION_FLAG, .flag = &age_settings.fallocate,
     .help = "allocate files without writing them: faster; ext2, ext3 and nfs cannot"},
    {.name = "keep", .kind = OPTION_FLAG, .flag = &age_settings.keep,
     .help = "leave the aged files behind: the last line says where"},
    {.name = "report-distributions", .kind = OPTION_FLAG, .flag = &age_settings.report_distributions,
     .help = "a line for each class: the share of files asked for and the one reached"},
};

const struct option_table age_options = {rows, sizeof rows / sizeof rows[0]};

bool age_check(void)
{
    bool right = profile_read(&age_settings.profile, age_settings.profile_name, age_settings.sizes, age_settings.ages,
                              age_settings.directories);

    if (age_settings.fullness <= 0)
        right = options_complain("--fullness", "nothing would be there to age");
    if (age_settings.overwrites < age_settings.fullness)
        right = options_complain("--overwrites", "less than --fullness, which would not be reached");
    if (age_settings.keep && common.repetitions > 1)
        right = options_complain("--keep", "of --repetitions only one can be kept");
    return right;
}
