#include "aging/age.h"
#include "aging/layout_report.h"
#include "common.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const struct option_table no_options = {NULL, 0};

static void run(struct session *session)
{
    int directory = open(common.directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

    if (directory < 0) {
        session_refuse(session, "%s: %s", common.directory, strerror(errno));
        return;
    }
    session_progress(session, "layout");
    layout_tell(session, NULL, directory, false);
    close(directory);
}

const struct command layout_command = {
    .name = "layout",
    .summary = "where the files below --directory lie and how the free space is cut; changes nothing",
    .options = &no_options,
    .run = run,
    .reads_only = true,
};
