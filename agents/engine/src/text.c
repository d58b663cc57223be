#include "text.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_TEXT ((size_t)1 << 20)
#define MAX_PRINTED 100U

char *text_read(const char *path)
{
    FILE *file = fopen(path, "re");
    char *text = file ? malloc(MAX_TEXT + 1) : NULL;
    size_t length = text ? fread(text, 1, MAX_TEXT + 1, file) : 0;
    const char *wrong = NULL;

    if (!text || ferror(file))
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
