/* A Filebench workload (WML), read and checked. */
#ifndef FSLOAD_FILEBENCH_WML_H
#define FSLOAD_FILEBENCH_WML_H

#include "filebench/law.h"
#include "text.h"

#include <stdbool.h>
#include <stdint.h>

#define WML_MAX_FILESETS 64U
#define WML_MAX_PROCESSES 64U
#define WML_MAX_THREADS 128U /* thread statements */
#define WML_MAX_FLOWOPS 512U
#define WML_MAX_ENTRIES UINT64_C(10000000)
#define WML_MAX_FD 63U
#define WML_NAME_SIZE 65U
#define WML_PATH_SIZE 256U

enum wml_kind {
    WML_OPENFILE,
    WML_CREATEFILE,
    WML_CLOSEFILE,
    WML_DELETEFILE,
    WML_STATFILE,
    WML_FSYNC,
    WML_READWHOLEFILE,
    WML_WRITEWHOLEFILE,
    WML_APPENDFILE,
    WML_APPENDFILERAND,
    WML_READ,
    WML_WRITE,
    WML_KINDS
};

extern const char *const wml_kind_names[WML_KINDS];

/* What happens when a thread finds no file to open or delete, or no name to create. */
enum wml_mode { WML_TIMEOUT, WML_FIRSTDONE, WML_ALLDONE };

/* `define fileset`, `define file`. */
struct wml_fileset {
    char name[WML_NAME_SIZE];
    char path[WML_PATH_SIZE]; /* reported, not followed */
    unsigned line;
    uint64_t entries;
    struct wml_law size;     /* bytes */
    uint64_t directory_width; /* mean; 0: one file in each directory */
    uint64_t directory_gamma; /* of width and depth, in thousandths; 0: all alike */
    uint64_t preallocated;   /* percent of the entries */
    bool read_only;
    bool write_only;
    bool changes;   /* files are created and deleted */
    bool written;   /* files are written or appended to */
    unsigned users; /* threads that pick files in it */
};

struct wml_flowop {
    enum wml_kind kind;
    char name[WML_NAME_SIZE];
    char fileset_name[WML_NAME_SIZE]; /* empty: the fileset of the open file */
    int fileset;                      /* its index; -1: none */
    unsigned line;
    uint64_t fd;
    uint64_t source_fd;
    uint64_t io_size; /* bytes; 0: the whole file */
    uint64_t iterations;
    uint64_t working_set; /* bytes; 0: the whole file */
    bool random;
    bool direct;
    bool synchronous;
    bool rotates;     /* opennext */
    unsigned counter; /* index of its counter */
};

/* A thread statement, which makes `instances` threads in each instance of its process. */
struct wml_thread {
    char name[WML_NAME_SIZE];
    unsigned line;
    unsigned process;
    uint64_t instances;
    unsigned first; /* of its flowops */
    unsigned count;
};

struct wml_process {
    char name[WML_NAME_SIZE];
    unsigned line;
    uint64_t instances;
};

/* A separate count for each kind, name and thread name of a flowop. */
struct wml_counter {
    unsigned flowop;  /* the first one that counts here */
    unsigned thread;  /* the statement that holds it */
    unsigned last;    /* the last such statement */
    unsigned threads; /* that count here */
    bool ambiguous;   /* another thread statement has a flowop of this kind and name */
};

struct wml {
    struct wml_fileset filesets[WML_MAX_FILESETS];
    struct wml_process processes[WML_MAX_PROCESSES];
    struct wml_thread threads[WML_MAX_THREADS];
    struct wml_flowop flowops[WML_MAX_FLOWOPS];
    struct wml_counter counters[WML_MAX_FLOWOPS];
    unsigned fileset_count;
    unsigned process_count;
    unsigned thread_count;
    unsigned flowop_count;
    unsigned counter_count;
    unsigned instances; /* total number of threads */
    enum wml_mode mode;
    bool runs;        /* there is a run statement */
    uint64_t seconds; /* of that statement */
};

/* The number of threads that a thread statement makes. */
static inline uint64_t wml_instances(const struct wml *wml, const struct wml_thread *thread)
{
    return thread->instances * wml->processes[thread->process].instances;
}

/* Read a file. False, with all faults on stderr, if it cannot be read or has faults. */
bool wml_read(const char *path, struct wml *wml);

/* Find faults in the complete file: undefined names, files that are not open. Numbers threads and counters. */
void wml_check(struct wml *wml, struct faults *faults);

/* Find faults in the order in which a thread opens and closes files; notes how it changes filesets. */
void wml_check_order(struct wml *wml, const struct wml_thread *thread, struct faults *faults);

#endif
