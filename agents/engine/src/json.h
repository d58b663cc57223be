/* Strings as JSON. */
#ifndef FSLOAD_JSON_H
#define FSLOAD_JSON_H

#include <stdio.h>

/* Print a string with its quotes; bytes that are not valid UTF-8 become U+FFFD. */
void json_string(FILE *file, const char *text);

#endif
