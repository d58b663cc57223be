/* The tests of a source tree, as developers use it: unpack, read, archive, look for changes, remove. */
#ifndef FSLOAD_TREE_SOURCE_TESTS_H
#define FSLOAD_TREE_SOURCE_TESTS_H

#include "crew.h"

#include <stdbool.h>

/* Functions of stages whose task is a struct metadata. Each operation is one entry of the tree. */

bool source_unpack(struct worker *worker);
bool source_prepare_unpack(struct worker *worker); /* also brings the tar file into the page cache */
bool source_finish_unpack(struct worker *worker);

bool source_read(struct worker *worker);

/* fstatat of each entry; also reads the files directly in Subversion's directories. */
bool source_stat(struct worker *worker);

/* Writes "source.tar" beside the tree, and removes it after the time unless everything is to be kept. */
bool source_archive(struct worker *worker);
bool source_prepare_archive(struct worker *worker);
bool source_finish_archive(struct worker *worker);

bool source_remove(struct worker *worker);
bool source_finish_remove(struct worker *worker);

#endif
