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
    char fileset_name[WML_NAME_SIZE]; /* empty: that of the open file */
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
    unsigned counter; /* where it is counted */
};

/* A thread statement, which makes `instances` threads in each of its process's instances. */
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

/* What is counted apart: a kind and a name of flowop; the same name in two threads is two of them. */
struct wml_counter {
    unsigned flowop;  /* the first that counts here */
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
    unsigned instances; /* threads in all */
    enum wml_mode mode;
    bool runs;        /* there is a run statement */
    uint64_t seconds; /* of it */
};

/* How many threads a thread statement makes. */
static inline uint64_t wml_instances(const struct wml *wml, const struct wml_thread *thread)
{
    return thread->instances * wml->processes[thread->process].instances;
}

/* Read a file. False: it cannot be read, or has faults, which are all printed on stderr. */
bool wml_read(const char *path, struct wml *wml);

/* What only shows once all is read: names that nothing has, files that are not open. Numbers threads and counters. */
void wml_check(struct wml *wml, struct faults *faults);

/* The same for the order in which a thread opens and closes files; notes what it does to filesets. */
void wml_check_order(struct wml *wml, const struct wml_thread *thread, struct faults *faults);

#endif
