#ifndef FSLOAD_VERSION_H
#define FSLOAD_VERSION_H

/* The digest of the source, for example "+0123456789ab"; the Makefile and benchagent define it. */
#ifndef FSLOAD_SOURCE
#define FSLOAD_SOURCE ""
#endif
#define FSLOAD_VERSION "0.2.0" FSLOAD_SOURCE
#define FSLOAD_SCHEMA "fsload/2"

#endif
