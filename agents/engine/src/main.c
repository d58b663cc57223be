/* fsload: measures file systems. README.md describes the commands and the output. */
#include "command.h"
#include "common.h"
#include "device.h"
#include "interactive.h"
#include "report.h"
#include "stop.h"
#include "version.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { EXIT_TEST_FAILED = 1, EXIT_USAGE = 2, EXIT_REFUSED = 3, EXIT_SIGNAL = 128 };

static void print_help(void)
{
    puts("usage: fsload COMMAND --directory DIR [options]\n\n"
         "Measures file systems. Results are JSON lines on stdout, progress is on stderr.\n");
    command_print_all();
    puts("\nOptions of every command:");
    options_print_help(&common_options);
    puts("  --version  --help         fsload COMMAND --help shows the options of a command\n"
         "  --check COMMAND …         only read the options and the profile, and print the first line\n\n"
         "Sizes: 4096, 4K, 64M, 1G; K, M, G and T are powers of 1024.\n"
         "Exit status: 0 done, 1 a test failed, 2 wrong usage, 3 refused to start, 128 + N ended by signal N.");
}

static void print_command_help(const struct command *command)
{
    printf("usage: fsload %s%s%s --directory DIR [options]\n\n%s\n\n", command->name,
           command->argument ? " " : "", command->argument ? command->argument_name : "", command->summary);
    options_print_help(command->options);
    puts("\nOptions of every command:");
    options_print_help(&common_options);
}

/* Take the word after the command if the command needs one; any other word is a fault. */
static bool take_argument(const struct command *command, int count, char **words)
{
    if (command->argument && count > 0) {
        *command->argument = words[0];
        count--;
        words++;
    } else if (command->argument) {
        return options_complain("missing", command->argument_name);
    }
    return count == 0 || options_complain("not an option", words[0]);
}

static enum parsed parse(const struct command *command, int argc, char **argv)
{
    const struct option_table tables[] = {common_options, *command->options};
    int rest;
    enum parsed parsed = options_parse(tables, 2, argc, argv, &rest);

    if (parsed == PARSED_HELP)
        print_command_help(command);
    if (parsed == PARSED_OPTIONS && (!take_argument(command, argc - rest, argv + rest) ||
                                     (command->check && !command->check())))
        return PARSED_ERROR;
    return parsed;
}

static int exit_status(const struct session *session, bool removed)
{
    if (session->refused)
        return EXIT_REFUSED;
    if (stop_requested())
        return EXIT_SIGNAL + stop_signal();
    return session->failed || session->lines_lost || !removed ? EXIT_TEST_FAILED : EXIT_SUCCESS;
}

static bool run_all(const struct command *command, struct session *session)
{
    bool removed = true;

    for (; session->repetition < common.repetitions && session_goes_on(session); session->repetition++) {
        if (session->repetition && !command->reads_only && !session->workspace.keep)
            removed = workspace_clear(&session->workspace) && removed; /* each begins empty, as the first did */
        command->run(session);
    }
    return removed;
}

static int run(const struct command *command, int argc, char **argv)
{
    static struct session session;
    const char *call;
    bool removed;

    session.workspace = (struct workspace){.parent = -1, .top = -1, .directory = -1};
    if (!command->reads_only && !workspace_open(&session.workspace, common.directory, &call)) {
        fprintf(stderr, "fsload: %s in %s: %s\n", call, common.directory, strerror(errno));
        return EXIT_REFUSED;
    }
    if (!command->reads_only)
        device_find(session.workspace.directory);
    report_header(command, argc, argv);
    session.lines_lost = !report_flush();
    if (common.interactive > 0 && !command->reads_only &&
        !interactive_start(session.workspace.top, common.interactive))
        session_refuse(&session, "the interactive job cannot start: %s", strerror(errno));
    removed = run_all(command, &session);
    interactive_stop();
    report_end(&session, stop_signal());
    session.lines_lost = !report_flush() || session.lines_lost;
    if (!command->reads_only)
        removed = workspace_remove(&session.workspace) && removed;
    return exit_status(&session, removed);
}

int main(int argc, char **argv)
{
    const bool only_check = argc > 1 && !strcmp(argv[1], "--check");
    char **words = malloc(((size_t)argc + 1) * sizeof *words);
    const struct command *command;
    int status = EXIT_SUCCESS;

    argc -= only_check;
    argv += only_check;
    command = argc > 1 ? command_find(argv[1]) : NULL;

    if (argc > 1 && !strcmp(argv[1], "--version")) {
        puts("fsload " FSLOAD_VERSION);
    } else if (argc > 1 && (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h"))) {
        print_help();
    } else if (!command || !words) {
        options_complain("not a command", argc > 1 ? argv[1] : "");
        fputs("fsload: --help shows what is understood\n", stderr);
        status = EXIT_USAGE;
    } else {
        memcpy(words, argv, ((size_t)argc + 1) * sizeof *words); /* getopt reorders the words */
        switch (parse(command, argc - 1, words + 1)) {
        case PARSED_HELP:
            break;
        case PARSED_ERROR:
            fprintf(stderr, "fsload: fsload %s --help shows what is understood\n", command->name);
            status = EXIT_USAGE;
            break;
        case PARSED_OPTIONS:
            clock_start();
            stop_on_signals();
            if (only_check)
                report_header(command, argc, argv);
            else
                status = run(command, argc, argv);
        }
    }
    free(words);
    return !report_flush() && status == EXIT_SUCCESS ? EXIT_TEST_FAILED : status; /* help may be lost, too */
}
