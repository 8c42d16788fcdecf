/* Preloaded into a writer: ends it at the n-th call that writes to a database or its journal.
 * SHIM_AT is n; SHIM_HOW is kill (before the call), after (behind it), half (after half of a write),
 * eio or enospc (the call fails). SHIM_COUNT names a file that gets the number of calls. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

static long calls = 0;

static int ours(int fd) {
    char link[64], name[4096];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t n = readlink(link, name, sizeof name - 1);
    if (n <= 0) return 0;
    name[n] = 0;
    return (n > 3 && !strcmp(name + n - 3, ".db")) || (n > 4 && !strcmp(name + n - 4, "-wal"));
}

static const char *due(void) {
    const char *at = getenv("SHIM_AT"), *how = getenv("SHIM_HOW"), *count = getenv("SHIM_COUNT");
    calls++;
    if (count) {
        FILE *f = fopen(count, "w");
        if (f) { fprintf(f, "%ld", calls); fclose(f); }
    }
    return at && atol(at) == calls ? (how ? how : "kill") : "";
}

static void end(void) { kill(getpid(), SIGKILL); pause(); }

#define WRITE(NAME, OFF)                                                                   \
    ssize_t NAME(int fd, const void *bytes, size_t size, OFF at) {                         \
        ssize_t (*real)(int, const void *, size_t, OFF) = dlsym(RTLD_NEXT, #NAME);         \
        if (!ours(fd)) return real(fd, bytes, size, at);                                   \
        const char *how = due();                                                           \
        if (!strcmp(how, "kill")) end();                                                   \
        if (!strcmp(how, "half")) { real(fd, bytes, size / 2, at); end(); }                \
        if (!strcmp(how, "eio")) { errno = EIO; return -1; }                               \
        if (!strcmp(how, "enospc")) { errno = ENOSPC; return -1; }                         \
        ssize_t done = real(fd, bytes, size, at);                                          \
        if (!strcmp(how, "after")) end();                                                  \
        return done;                                                                       \
    }
WRITE(pwrite, off_t)
WRITE(pwrite64, off64_t)

#define SYNC(NAME)                                                                         \
    int NAME(int fd) {                                                                     \
        int (*real)(int) = dlsym(RTLD_NEXT, #NAME);                                        \
        if (!ours(fd)) return real(fd);                                                    \
        const char *how = due();                                                           \
        if (!strcmp(how, "kill") || !strcmp(how, "half")) end();                           \
        if (!strcmp(how, "eio") || !strcmp(how, "enospc")) { errno = EIO; return -1; }     \
        int done = real(fd);                                                               \
        if (!strcmp(how, "after")) end();                                                  \
        return done;                                                                       \
    }
SYNC(fdatasync)
SYNC(fsync)
