/* Sizes as text: 4096, 4K, 64M, 1G, 1T; K is 1024. */
#ifndef FSLOAD_SIZE_H
#define FSLOAD_SIZE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Read text[0 … length). False if it is not a size, or one above 2^62. */
bool size_parse(const char *text, size_t length, uint64_t *size);

/* The same for a number without a suffix, up to a maximum. */
bool number_parse(const char *text, size_t length, uint64_t max, uint64_t *number);

/* Write a size in the largest unit that divides it: "64 MiB". */
#define SIZE_TEXT_LENGTH 32
void size_print(char text[SIZE_TEXT_LENGTH], uint64_t size);

#endif
