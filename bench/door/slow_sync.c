/* A library that makes each sync of a file take longer, as a slower disk would. Preloaded into a process,
   it sleeps for SLOW_SYNC_MICROSECONDS before every fsync and fdatasync. */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <unistd.h>

static void wait_first(void) {
    const char *text = getenv("SLOW_SYNC_MICROSECONDS");
    if (text) usleep((useconds_t)strtoul(text, NULL, 10));
}

int fsync(int fd) {
    static int (*next)(int);
    if (!next) next = (int (*)(int))dlsym(RTLD_NEXT, "fsync");
    wait_first();
    return next(fd);
}

int fdatasync(int fd) {
    static int (*next)(int);
    if (!next) next = (int (*)(int))dlsym(RTLD_NEXT, "fdatasync");
    wait_first();
    return next(fd);
}
