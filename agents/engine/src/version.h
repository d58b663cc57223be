#ifndef FSLOAD_VERSION_H
#define FSLOAD_VERSION_H

/* Which source it was built from, for example "+0123456789ab"; whoever compiles says so (the Makefile, benchagent). */
#ifndef FSLOAD_SOURCE
#define FSLOAD_SOURCE ""
#endif
#define FSLOAD_VERSION "0.2.0" FSLOAD_SOURCE
#define FSLOAD_SCHEMA "fsload/2"

#endif
