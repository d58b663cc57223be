#include "sweep/operations.h"

#define OPERATIONS(ROW)                                                \
    ROW("write", WANTS_NONE, true, false, PATTERN_FORWARD)             \
    ROW("rewrite", WANTS_OLD, true, false, PATTERN_FORWARD)            \
    ROW("read", WANTS_OLD, false, false, PATTERN_FORWARD)              \
    ROW("reread", WANTS_OLD, false, false, PATTERN_FORWARD)            \
    ROW("random_read", WANTS_OLD, false, false, PATTERN_RANDOM)        \
    ROW("random_write", WANTS_OLD, true, false, PATTERN_RANDOM)        \
    ROW("backward_read", WANTS_OLD, false, false, PATTERN_BACKWARD)    \
    ROW("record_rewrite", WANTS_OLD, true, false, PATTERN_SAME)        \
    ROW("strided_read", WANTS_OLD, false, false, PATTERN_STRIDED)      \
    ROW("fwrite", TAKES_EITHER, true, true, PATTERN_FORWARD)           \
    ROW("frewrite", WANTS_OLD, true, true, PATTERN_FORWARD)            \
    ROW("fread", WANTS_OLD, false, true, PATTERN_FORWARD)              \
    ROW("freread", WANTS_OLD, false, true, PATTERN_FORWARD)

#define AS_ROW(name, before, writes, stdio, pattern) {name, before, writes, stdio, pattern},
#define AS_NAME(name, before, writes, stdio, pattern) name,

const struct operation operations[] = {OPERATIONS(AS_ROW)};
const char *const operation_names[] = {OPERATIONS(AS_NAME) NULL};
const size_t operations_count = sizeof operations / sizeof operations[0];
