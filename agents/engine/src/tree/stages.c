#include "tree/stages.h"

#include <stdio.h>
#include <unistd.h>

/* Write back dirty data; a failure of this is the test's failure. */
static void write_back(const struct stages *stages, struct measurement *measurement)
{
    if (!session_goes_on(stages->session) || !syncfs(stages->session->workspace.directory))
        return;
    failure_set(&measurement->failure, "syncfs", "", 0);
    measurement->outcome = failed(&measurement->failure) ? OUTCOME_FAILED : OUTCOME_STOPPED;
}

static bool perform(struct stages *stages, const struct stage *stage, struct measurement *measurement)
{
    struct stage_task task = {stages->task, stage->argument};
    const struct job job = {
        .kinds = 1, .prepare = stage->prepare, .run = stage->run, .finish = stage->finish, .task = &task};

    crew_run(stages->crew, &job, measurement);
    if (measurement->outcome == OUTCOME_OK && (stage->makes || stage->takes))
        write_back(stages, measurement);
    if (measurement->outcome != OUTCOME_OK)
        return false;
    stages->there = (stages->there | stage->makes) & ~stage->takes;
    return true;
}

/* Run the stages that make the missing entries, each after the stages for its own needs. */
static bool provide(struct stages *stages, unsigned needs, struct measurement *measurement)
{
    for (size_t i = 0; i < stages->count; i++) {
        const struct stage *stage = &stages->table[i];
        unsigned missing = needs & ~stages->there;

        if ((stage->makes & missing) &&
            !(provide(stages, stage->needs, measurement) && perform(stages, stage, measurement)))
            return false;
    }
    return true;
}

void stages_run(struct stages *stages, const struct stage *stage, const struct cell *cell)
{
    struct measurement measurement;

    session_progress(stages->session, "%s", cell->test);
    if (!provide(stages, stage->needs, &measurement) || !perform(stages, stage, &measurement)) {
        stages->there = 0;
        workspace_clear(&stages->session->workspace);
    }
    session_report(stages->session, cell, &measurement);
}
