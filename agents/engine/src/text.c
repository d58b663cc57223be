#include "text.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAX_TEXT ((size_t)1 << 20)
#define MAX_PRINTED 100U

/* Open a regular file, without waiting as for a pipe that has no writer. NULL, with errno. */
static FILE *open_regular(const char *path)
{
    int descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    struct stat status;

    if (descriptor >= 0 && !fstat(descriptor, &status) && S_ISREG(status.st_mode))
        return fdopen(descriptor, "r");
    if (descriptor >= 0) {
        close(descriptor);
        errno = EINVAL;
    }
    return NULL;
}

/* Blanks of word processors and web pages in UTF-8, and the byte order mark, which is none. */
static const struct {
    const char *bytes;
    const char *instead;
} blanks[] = {
    {"\xC2\xA0", " "},     /* U+00A0, no-break space */
    {"\xE2\x80\x87", " "}, /* U+2007, figure space */
    {"\xE2\x80\xAF", " "}, /* U+202F, narrow no-break space */
    {"\xE3\x80\x80", " "}, /* U+3000, ideographic space */
    {"\xE2\x80\x8B", ""},  /* U+200B, zero width space */
    {"\xEF\xBB\xBF", ""},  /* U+FEFF */
};

/* Replace other blanks by spaces: profiles are copied from articles as they were printed. */
static void use_spaces(char *text)
{
    char *to = text;

    while (*text) {
        size_t i = 0;

        while (i < sizeof blanks / sizeof blanks[0] && strncmp(text, blanks[i].bytes, strlen(blanks[i].bytes)) != 0)
            i++;
        if (i == sizeof blanks / sizeof blanks[0]) {
            *to++ = *text++;
            continue;
        }
        text += strlen(blanks[i].bytes);
        if (*blanks[i].instead)
            *to++ = *blanks[i].instead;
    }
    *to = '\0';
}

char *text_read(const char *path)
{
    FILE *file = open_regular(path);
    char *text = file ? malloc(MAX_TEXT + 1) : NULL;
    size_t length = text ? fread(text, 1, MAX_TEXT + 1, file) : 0;
    const char *wrong = NULL;

    if (!file && errno == EINVAL)
        wrong = "not a regular file";
    else if (!text || ferror(file))
        wrong = strerror(errno);
    else if (length > MAX_TEXT)
        wrong = "larger than 1 MiB";
    else if (memchr(text, '\0', length))
        wrong = "not a text";
    if (file)
        fclose(file);
    if (wrong) {
        fprintf(stderr, "fsload: %s: %s\n", path, wrong);
        free(text);
        return NULL;
    }
    text[length] = '\0';
    use_spaces(text);
    return text;
}

void faults_add(struct faults *faults, unsigned line, const char *format, ...)
{
    va_list arguments;

    if (++faults->count > MAX_PRINTED)
        return;
    fprintf(stderr, "fsload: %s:", faults->path);
    if (line)
        fprintf(stderr, "%u:", line);
    putc(' ', stderr);
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    putc('\n', stderr);
}

bool faults_none(const struct faults *faults)
{
    if (faults->count > MAX_PRINTED)
        fprintf(stderr, "fsload: %s: and %u faults more\n", faults->path, faults->count - MAX_PRINTED);
    return faults->count == 0;
}
