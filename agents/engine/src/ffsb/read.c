/* Reads the lines of a profile: sections, and keys with their values. */
#include "ffsb/check.h"
#include "ffsb/keys.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SHOWN 60

enum kind { GLOBAL, FILESYSTEM, GROUP, STATS };

/* An open section, its keys, and the struct for their values; `into` NULL: one section too many. */
struct open_section {
    enum kind kind;
    const struct ffsb_keys *keys;
    struct ffsb_section *section;
    void *into;
    unsigned line;
};

/* Nesting: the global part, a file system, its threads for aging, their statistics. */
#define MAX_DEPTH 4U

struct reader {
    struct faults *faults;
    struct ffsb_profile *profile;
    struct open_section open[MAX_DEPTH];
    unsigned depth; /* of the innermost open section */
    unsigned line;
    /* For the keys of sections that are not used: [stats], and sections beyond a limit. */
    struct ffsb_filesystem no_filesystem;
    struct ffsb_group no_group;
    struct ffsb_section no_section;
};

static bool wrong(struct reader *reader, const char *what, const char *text)
{
    char shown[SHOWN + 1];

    snprintf(shown, sizeof shown, "%s", text);
    for (char *byte = shown; *byte; byte++)
        if (!isprint((unsigned char)*byte))
            *byte = '?';
    faults_add(reader->faults, reader->line, "%s: %s", what, shown);
    return false;
}

static void enter(struct reader *reader, enum kind kind, const struct ffsb_keys *keys, void *into,
                  struct ffsb_section *section)
{
    memset(section, 0, sizeof *section);
    section->line = reader->line;
    reader->open[++reader->depth] = (struct open_section){kind, keys, section, into, reader->line};
}

static void enter_filesystem(struct reader *reader)
{
    struct ffsb_profile *profile = reader->profile;
    struct ffsb_filesystem *filesystem = &reader->no_filesystem;

    if (profile->filesystem_count == FFSB_MAX_FILESYSTEMS)
        wrong(reader, "more than 16 file systems", "[filesystem]");
    else
        filesystem = &profile->filesystems[profile->filesystem_count++];
    memset(filesystem, 0, sizeof *filesystem);
    enter(reader, FILESYSTEM, &ffsb_filesystem_keys, filesystem, &filesystem->section);
}

static void enter_group(struct reader *reader)
{
    struct ffsb_profile *profile = reader->profile;
    const struct open_section *inside = &reader->open[reader->depth];
    struct ffsb_group *group = &reader->no_group;

    if (inside->kind == FILESYSTEM) {
        struct ffsb_filesystem *filesystem = inside->into;

        if (filesystem->has_aging_group)
            wrong(reader, "a second thread group in a file system", "[threadgroup]");
        filesystem->has_aging_group = true;
        group = &filesystem->aging;
    } else if (profile->group_count == FFSB_MAX_GROUPS) {
        wrong(reader, "more than 16 thread groups", "[threadgroup]");
    } else {
        group = &profile->groups[profile->group_count++];
    }
    memset(group, 0, sizeof *group);
    group->bound = -1;
    enter(reader, GROUP, &ffsb_group_keys, group, &group->section);
}

/* [end], [end0] */
static bool is_tag(const char *text, const char *name)
{
    size_t length = strlen(name);

    if (strncmp(text, name, length) != 0)
        return false;
    return text[length + strspn(text + length, "0123456789")] == '\0';
}

static bool read_tag(struct reader *reader, const char *tag)
{
    enum kind inside = reader->open[reader->depth].kind;

    if (is_tag(tag, "end") && reader->depth)
        reader->depth--;
    else if (is_tag(tag, "filesystem") && inside == GLOBAL)
        enter_filesystem(reader);
    else if (is_tag(tag, "threadgroup") && (inside == GLOBAL || inside == FILESYSTEM))
        enter_group(reader);
    else if (is_tag(tag, "stats") && (inside == FILESYSTEM || inside == GROUP))
        enter(reader, STATS, &ffsb_stats_keys, NULL, &reader->no_section);
    else
        return wrong(reader, "not a section that may stand here", tag);
    return true;
}

static bool find_key(const struct ffsb_keys *keys, const char *name, unsigned *found)
{
    for (*found = 0; *found < keys->count; ++*found)
        if (!strcmp(keys->rows[*found].name, name))
            return true;
    return false;
}

/* The line that set the same field before, perhaps by another name; 0: none. */
static unsigned set_before(const struct open_section *open, unsigned index)
{
    const struct ffsb_key *key = &open->keys->rows[index];

    if (ffsb_key_is_list(key))
        return 0;
    for (unsigned i = 0; i < open->keys->count; i++) {
        const struct ffsb_key *other = &open->keys->rows[i];
        bool same_field = key->value <= VALUE_WEIGHT && other->value == key->value && other->offset == key->offset;

        if (open->section->lines[i] && (i == index || same_field))
            return open->section->lines[i];
    }
    return 0;
}

static bool set_key(struct reader *reader, const char *name, bool has_equals, const char *value)
{
    struct open_section *open = &reader->open[reader->depth];
    const struct ffsb_key *key;
    const char *expected;
    unsigned index;
    unsigned before;

    if (!find_key(open->keys, name, &index))
        return wrong(reader, "not a key that may stand here", name);
    key = &open->keys->rows[index];
    before = set_before(open, index);
    open->section->lines[index] = reader->line;
    if (before) {
        faults_add(reader->faults, reader->line, "%s is set twice, first in line %u", name, before);
        return false;
    }
    if (!has_equals && key->value != VALUE_SIZE_WEIGHT && key->value != VALUE_NO_RANGE)
        return wrong(reader, "not KEY = VALUE", name);
    expected = ffsb_key_set(key, open->into, value);
    if (!expected)
        return true;
    faults_add(reader->faults, reader->line, expected == key->why ? "%s: cannot be honoured: %s" : "%s: not %s", name,
               expected);
    return false;
}

static char *trim(char *text)
{
    size_t length;

    while (isspace((unsigned char)*text))
        text++;
    length = strlen(text);
    while (length && isspace((unsigned char)text[length - 1]))
        length--;
    text[length] = '\0';
    return text;
}

static bool read_line(struct reader *reader, char *line)
{
    char *text;
    char *separator;
    bool has_equals;

    line[strcspn(line, "#")] = '\0';
    text = trim(line);
    if (!*text)
        return true;
    if (*text == '[') {
        size_t length = strlen(text);

        if (text[length - 1] != ']')
            return wrong(reader, "not a section", text);
        text[length - 1] = '\0';
        return read_tag(reader, trim(text + 1));
    }
    separator = strchr(text, '=');
    has_equals = separator != NULL;
    if (!separator)
        separator = text + strcspn(text, " \t");
    if (*separator)
        *separator++ = '\0';
    return set_key(reader, trim(text), has_equals, trim(separator));
}

static void read_lines(struct reader *reader, char *text)
{
    while (*text) {
        size_t length = strcspn(text, "\n");
        char *next = text + length + (text[length] == '\n');

        text[length] = '\0';
        reader->line++;
        read_line(reader, text);
        text = next;
    }
    for (; reader->depth; reader->depth--)
        faults_add(reader->faults, reader->open[reader->depth].line, "this section has no [end]");
}

bool ffsb_profile_read(const char *path, struct ffsb_profile *profile)
{
    struct faults faults = {.path = path};
    struct reader *reader = calloc(1, sizeof *reader);
    char *text = reader ? text_read(path) : NULL;
    bool loaded = text != NULL;

    memset(profile, 0, sizeof *profile);
    if (text) {
        reader->faults = &faults;
        reader->profile = profile;
        reader->open[0] = (struct open_section){GLOBAL, &ffsb_global_keys, &profile->section, profile, 0};
        read_lines(reader, text);
        if (!faults.count) /* consequences of a faulty line would only confuse */
            ffsb_profile_check(&faults, profile);
    }
    free(text);
    free(reader);
    return loaded && faults_none(&faults);
}
