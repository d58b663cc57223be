#include "filebench/parse.h"

#include <stddef.h>
#include <string.h>
#include <strings.h>

#define COUNT(rows) (sizeof(rows) / sizeof(rows)[0])

const char *const wml_kind_names[WML_KINDS] = {
    [WML_OPENFILE] = "openfile",
    [WML_CREATEFILE] = "createfile",
    [WML_CLOSEFILE] = "closefile",
    [WML_DELETEFILE] = "deletefile",
    [WML_STATFILE] = "statfile",
    [WML_FSYNC] = "fsync",
    [WML_READWHOLEFILE] = "readwholefile",
    [WML_WRITEWHOLEFILE] = "writewholefile",
    [WML_APPENDFILE] = "appendfile",
    [WML_APPENDFILERAND] = "appendfilerand",
    [WML_READ] = "read",
    [WML_WRITE] = "write",
};

/* Flowops that limit the rate to that of `eventgen`; without a rate they do nothing, as in Filebench. */
static const char *const limits[] = {"eventlimit", "opslimit", "iopslimit", "bwlimit"};

/*
 * Some attributes have no effect: the directory is always new and empty (reuse, trusttree), files are made one after
 * another (paralloc), and each thread has the memory that it needs (memsize, useism).
 */
#define AT(field) offsetof(struct wml_fileset, field)
#define COMMON_ROWS                                                                                                    \
    {"name", WML_ATTRIBUTE_NAME, AT(name), 0, 0}, {"path", WML_ATTRIBUTE_PATH, AT(path), 0, 0},                        \
        {"size", WML_ATTRIBUTE_LAW, AT(size), 0, 0}, {"filesize", WML_ATTRIBUTE_LAW, AT(size), 0, 0},                  \
        {"prealloc", WML_ATTRIBUTE_PERCENT, AT(preallocated), 0, 0}, {"reuse", WML_ATTRIBUTE_ANY, 0, 0, 0},            \
        {"trusttree", WML_ATTRIBUTE_ANY, 0, 0, 0}, {"paralloc", WML_ATTRIBUTE_ANY, 0, 0, 0},                           \
        {"cached", WML_ATTRIBUTE_OFF, 0, 0, 0}, {"readonly", WML_ATTRIBUTE_FLAG, AT(read_only), 0, 0},                 \
        {"writeonly", WML_ATTRIBUTE_FLAG, AT(write_only), 0, 0}

static const struct wml_attribute fileset_rows[] = {
    COMMON_ROWS,
    {"entries", WML_ATTRIBUTE_NUMBER, AT(entries), 1, WML_MAX_ENTRIES},
    {"dirwidth", WML_ATTRIBUTE_NUMBER, AT(directory_width), 0, UINT64_C(1) << 40},
    {"dirgamma", WML_ATTRIBUTE_NUMBER, AT(directory_gamma), 0, 1000000},
    {"leafdirs", WML_ATTRIBUTE_OFF, 0, 0, 0},
};
static const struct wml_attribute file_rows[] = {COMMON_ROWS};
#undef AT

static const struct wml_attribute process_rows[] = {
    {"name", WML_ATTRIBUTE_NAME, offsetof(struct wml_process, name), 0, 0},
    {"instances", WML_ATTRIBUTE_NUMBER, offsetof(struct wml_process, instances), 0, 1024},
    {"nice", WML_ATTRIBUTE_OFF, 0, 0, 0},
};

static const struct wml_attribute thread_rows[] = {
    {"name", WML_ATTRIBUTE_NAME, offsetof(struct wml_thread, name), 0, 0},
    {"instances", WML_ATTRIBUTE_NUMBER, offsetof(struct wml_thread, instances), 0, 1024},
    {"memsize", WML_ATTRIBUTE_ANY, 0, 0, 0},
    {"useism", WML_ATTRIBUTE_ANY, 0, 0, 0},
    {"ioprio", WML_ATTRIBUTE_OFF, 0, 0, 0},
};

#define AT(field) offsetof(struct wml_flowop, field)
static const struct wml_attribute flowop_rows[] = {
    {"name", WML_ATTRIBUTE_NAME, AT(name), 0, 0},
    {"filesetname", WML_ATTRIBUTE_NAME, AT(fileset_name), 0, 0},
    {"filename", WML_ATTRIBUTE_NAME, AT(fileset_name), 0, 0},
    {"fd", WML_ATTRIBUTE_NUMBER, AT(fd), 0, WML_MAX_FD},
    {"srcfd", WML_ATTRIBUTE_NUMBER, AT(source_fd), 0, WML_MAX_FD},
    {"iosize", WML_ATTRIBUTE_NUMBER, AT(io_size), 0, UINT64_C(1) << 30},
    {"iters", WML_ATTRIBUTE_NUMBER, AT(iterations), 1, UINT32_MAX},
    {"workingset", WML_ATTRIBUTE_NUMBER, AT(working_set), 0, WML_MAX_SIZE},
    {"random", WML_ATTRIBUTE_FLAG, AT(random), 0, 0},
    {"directio", WML_ATTRIBUTE_FLAG, AT(direct), 0, 0},
    {"dsync", WML_ATTRIBUTE_FLAG, AT(synchronous), 0, 0},
    {"opennext", WML_ATTRIBUTE_FLAG, AT(rotates), 0, 0},
};
#undef AT

static const struct wml_attributes fileset_attributes = {"define fileset", fileset_rows, COUNT(fileset_rows)};
static const struct wml_attributes file_attributes = {"define file", file_rows, COUNT(file_rows)};
static const struct wml_attributes process_attributes = {"define process", process_rows, COUNT(process_rows)};
static const struct wml_attributes thread_attributes = {"thread", thread_rows, COUNT(thread_rows)};

static void define_fileset(struct wml_parser *parser, bool single)
{
    struct wml *wml = parser->wml;
    struct wml_fileset fileset = {.line = parser->lexer.token.line,
                                  .entries = single,
                                  .size.fixed = 1024,
                                  .directory_width = single ? 10 : 0,
                                  .directory_gamma = single ? 0 : 1500};

    wml_lex_next(&parser->lexer);
    wml_parse_attributes(parser, single ? &file_attributes : &fileset_attributes, &fileset);
    if (!fileset.name[0])
        faults_add(parser->faults, fileset.line, "a fileset without a name");
    if (!fileset.entries)
        faults_add(parser->faults, fileset.line, "a fileset without entries");
    if (fileset.read_only && fileset.write_only)
        faults_add(parser->faults, fileset.line, "readonly and writeonly");
    for (unsigned i = 0; i < wml->fileset_count; i++)
        if (!strcasecmp(wml->filesets[i].name, fileset.name)) /* some file systems ignore case */
            faults_add(parser->faults, fileset.line, "a second fileset named %s", fileset.name);
    if (wml->fileset_count == WML_MAX_FILESETS)
        faults_add(parser->faults, fileset.line, "more than %u filesets", WML_MAX_FILESETS);
    else
        wml->filesets[wml->fileset_count++] = fileset;
}

static bool is_limit(const struct wml_lexer *lexer)
{
    for (size_t i = 0; i < COUNT(limits); i++)
        if (wml_lex_is(lexer, limits[i]))
            return true;
    return false;
}

static enum wml_kind find_kind(const struct wml_lexer *lexer)
{
    enum wml_kind kind = 0;

    while (kind < WML_KINDS && !wml_lex_is(lexer, wml_kind_names[kind]))
        kind++;
    return kind;
}

static void parse_flowop(struct wml_parser *parser)
{
    struct wml *wml = parser->wml;
    struct wml_flowop flowop = {.fileset = -1, .iterations = 1, .kind = find_kind(&parser->lexer),
                                .line = parser->lexer.token.line};
    const struct wml_attributes attributes = {
        flowop.kind < WML_KINDS ? wml_kind_names[flowop.kind] : "flowop", flowop_rows, COUNT(flowop_rows)};
    struct wml_token word = parser->lexer.token;
    bool limit = is_limit(&parser->lexer);

    if (word.kind != WML_WORD) {
        wml_unexpected(parser, "a flowop");
        return;
    }
    if (flowop.kind == WML_KINDS && !limit)
        faults_add(parser->faults, word.line, "flowop %.*s is not supported",
                   (int)(word.length < 60 ? word.length : 60), word.text);
    wml_lex_next(&parser->lexer);
    wml_parse_attributes(parser, flowop.kind < WML_KINDS ? &attributes : NULL, &flowop);
    if (flowop.kind == WML_KINDS)
        return;
    if (!flowop.name[0])
        faults_add(parser->faults, flowop.line, "a flowop without a name");
    if (wml->flowop_count == WML_MAX_FLOWOPS)
        faults_add(parser->faults, flowop.line, "more than %u flowops", WML_MAX_FLOWOPS);
    else
        wml->flowops[wml->flowop_count++] = flowop;
}

/* Report an unexpected token in a block, and skip to the next line or the end of the block. */
static void skip_line(struct wml_parser *parser, const char *expected)
{
    wml_unexpected(parser, expected);
    do
        wml_lex_next(&parser->lexer);
    while (!parser->lexer.token.first && parser->lexer.token.kind != WML_END && !wml_lex_is_mark(&parser->lexer, '}'));
}

/* Read the statements between braces. All of them begin with the same word. */
static void parse_block(struct wml_parser *parser, const char *word, void (*parse)(struct wml_parser *))
{
    if (!wml_accept(parser, '{')) {
        wml_unexpected(parser, "'{'");
        return;
    }
    while (!wml_accept(parser, '}')) {
        if (parser->lexer.token.kind == WML_END) {
            wml_unexpected(parser, "'}'");
            return;
        }
        if (wml_lex_is(&parser->lexer, word)) {
            wml_lex_next(&parser->lexer);
            parse(parser);
        } else {
            skip_line(parser, word);
        }
    }
}

static void parse_thread(struct wml_parser *parser)
{
    struct wml *wml = parser->wml;
    struct wml_thread thread = {.line = parser->lexer.token.line, .instances = 1, .first = wml->flowop_count,
                                .process = wml->process_count - 1};

    wml_parse_attributes(parser, &thread_attributes, &thread);
    if (!thread.name[0])
        faults_add(parser->faults, thread.line, "a thread without a name");
    parse_block(parser, "flowop", parse_flowop);
    thread.count = wml->flowop_count - thread.first;
    if (wml->thread_count == WML_MAX_THREADS)
        faults_add(parser->faults, thread.line, "more than %u thread statements", WML_MAX_THREADS);
    else
        wml->threads[wml->thread_count++] = thread;
}

static void define_process(struct wml_parser *parser)
{
    struct wml *wml = parser->wml;
    struct wml_process process = {.line = parser->lexer.token.line, .instances = 1};

    wml_lex_next(&parser->lexer);
    wml_parse_attributes(parser, &process_attributes, &process);
    if (!process.name[0])
        faults_add(parser->faults, process.line, "a process without a name");
    if (wml->process_count == WML_MAX_PROCESSES) {
        faults_add(parser->faults, process.line, "more than %u processes", WML_MAX_PROCESSES);
        wml->process_count--;
    }
    wml->processes[wml->process_count++] = process;
    parse_block(parser, "thread", parse_thread);
}

/* Skip an unsupported definition: its attributes, and its block if it has one. */
static void skip_definition(struct wml_parser *parser)
{
    unsigned depth = 0;

    if (parser->lexer.token.kind == WML_WORD)
        wml_lex_next(&parser->lexer);
    if (parser->lexer.token.kind == WML_WORD)
        wml_parse_attributes(parser, NULL, NULL);
    do {
        depth += wml_lex_is_mark(&parser->lexer, '{');
        depth -= depth && wml_lex_is_mark(&parser->lexer, '}');
        if (depth || wml_lex_is_mark(&parser->lexer, '}'))
            wml_lex_next(&parser->lexer);
    } while (depth && parser->lexer.token.kind != WML_END);
}

void wml_parse_definition(struct wml_parser *parser)
{
    const struct wml_token *word = &parser->lexer.token;

    if (wml_lex_is(&parser->lexer, "fileset") || wml_lex_is(&parser->lexer, "filesets")) {
        define_fileset(parser, false);
    } else if (wml_lex_is(&parser->lexer, "file") || wml_lex_is(&parser->lexer, "files")) {
        define_fileset(parser, true);
    } else if (wml_lex_is(&parser->lexer, "process") || wml_lex_is(&parser->lexer, "processes")) {
        define_process(parser);
    } else {
        faults_add(parser->faults, word->line, "define %.*s is not supported",
                   (int)(word->length < 60 ? word->length : 60), word->text);
        skip_definition(parser);
    }
}
