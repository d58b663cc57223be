#include "json.h"

#include <stddef.h>
#include <stdint.h>

/* The length of the valid UTF-8 sequence at the start of a text; 0 if there is none. RFC 3629, section 4. */
static size_t sequence_length(const unsigned char *text)
{
    size_t length = text[0] < 0xc2 ? 0 : text[0] < 0xe0 ? 2 : text[0] < 0xf0 ? 3 : text[0] < 0xf5 ? 4 : 0;

    for (size_t i = 1; i < length; i++)
        if ((text[i] & 0xc0) != 0x80)
            return 0;
    if ((text[0] == 0xe0 && text[1] < 0xa0) || (text[0] == 0xed && text[1] > 0x9f))
        return 0; /* overlong, or half a surrogate pair */
    if ((text[0] == 0xf0 && text[1] < 0x90) || (text[0] == 0xf4 && text[1] > 0x8f))
        return 0; /* overlong, or beyond Unicode */
    return length;
}

void json_string(FILE *file, const char *text)
{
    const unsigned char *byte = (const unsigned char *)text;

    putc('"', file);
    while (*byte) {
        size_t length = *byte < 0x80 ? 1 : sequence_length(byte);

        if (*byte == '"' || *byte == '\\')
            fprintf(file, "\\%c", *byte);
        else if (*byte < 0x20 || *byte == 0x7f)
            fprintf(file, "\\u%04x", *byte);
        else if (length)
            fwrite(byte, 1, length, file);
        else
            fputs("\\ufffd", file);
        byte += length ? length : 1;
    }
    putc('"', file);
}
