/* Files written by users: read as a whole, and refused as a whole with all their faults. */
#ifndef FSLOAD_TEXT_H
#define FSLOAD_TEXT_H

#include <stdbool.h>

/* The whole file; free it. NULL, with a message on stderr, if it is unreadable, over 1 MiB or contains a NUL. */
char *text_read(const char *path);

/* The faults of a file. Initialize only the path. */
struct faults {
    const char *path;
    unsigned count;
};

/* Count a fault and, if it is among the first hundred, print it on stderr. Line 0: the whole file. */
void faults_add(struct faults *faults, unsigned line, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* True if there is none; otherwise prints on stderr how many were not printed. */
bool faults_none(const struct faults *faults);

#endif
