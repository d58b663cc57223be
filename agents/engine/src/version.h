#ifndef FSLOAD_VERSION_H
#define FSLOAD_VERSION_H

#define FSLOAD_VERSION "0.2.0"
#define FSLOAD_SCHEMA "fsload/2"

#endif
