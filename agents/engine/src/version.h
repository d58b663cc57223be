#ifndef FSLOAD_VERSION_H
#define FSLOAD_VERSION_H

#define FSLOAD_VERSION "0.1.0"
#define FSLOAD_SCHEMA "fsload/1"

#endif
