/* What developers do with a source tree: unpack it, read it, archive it, look for changes, remove it. */
#ifndef FSLOAD_TREE_SOURCE_TESTS_H
#define FSLOAD_TREE_SOURCE_TESTS_H

#include "crew.h"

#include <stdbool.h>

/* Functions of stages whose task is a struct metadata. Each operation is one entry of the tree. */

bool source_unpack(struct worker *worker);
bool source_prepare_unpack(struct worker *worker); /* also brings the tar file into the page cache */
bool source_finish_unpack(struct worker *worker);

bool source_read(struct worker *worker);

/* fstatat of each entry; what Subversion keeps directly in its directories is read as well. */
bool source_stat(struct worker *worker);

/* Writes "source.tar" beside the tree; it is removed after the time, unless all is to be kept. */
bool source_archive(struct worker *worker);
bool source_prepare_archive(struct worker *worker);
bool source_finish_archive(struct worker *worker);

bool source_remove(struct worker *worker);
bool source_finish_remove(struct worker *worker);

#endif
