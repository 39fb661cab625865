/* What would a power cut leave of a folder? Only what was synced: a file as it was when it was last
   synced, a name that is new or gone only once its folder was synced. Preloaded into a process, this
   keeps that remainder of the folder DISK_LIVE in DISK_DURABLE, under `names`; files whose names are
   not durable yet wait under `nameless`. The real disk is not asked to sync anything of it. */

#define _GNU_SOURCE
#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

typedef char Path[PATH_MAX + NAME_MAX];

static int is_there(const char *path) { return access(path, F_OK) == 0; }

static void join(Path path, const char *folder, const char *part, const char *name) {
    snprintf(path, sizeof(Path), "%s/%s/%s", folder, part, name);
}

/* Only through `fd`: to open and close the file once more would drop SQLite's locks on it. */
static int copy(int fd, const char *target) {
    static char block[1 << 16];
    off_t at = 0;
    ssize_t size;
    int to = open(target, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (to < 0) return -1;
    while ((size = pread(fd, block, sizeof block, at)) > 0 && write(to, block, size) == size)
        at += size;
    close(to);
    return size == 0 ? 0 : -1;
}

static int sync_file(int fd, const char *name, const char *durable) {
    Path target, fresh;
    join(target, durable, "names", name);
    if (!is_there(target)) join(target, durable, "nameless", name);
    join(fresh, durable, "nameless", ".fresh");
    return copy(fd, fresh) || rename(fresh, target);
}

static void each_name(const char *folder, void (*visit)(const char *, const char *, const char *),
                      const char *live, const char *durable) {
    struct dirent *entry;
    DIR *names = opendir(folder);
    while (names && (entry = readdir(names)))
        if (entry->d_name[0] != '.') visit(entry->d_name, live, durable);
    if (names) closedir(names);
}

static void forget_if_gone(const char *name, const char *live, const char *durable) {
    Path here, there;
    snprintf(here, sizeof here, "%s/%s", live, name);
    join(there, durable, "names", name);
    if (!is_there(here)) unlink(there);
}

static void make_known(const char *name, const char *live, const char *durable) {
    Path from, to;
    (void)live;
    join(from, durable, "nameless", name);
    join(to, durable, "names", name);
    rename(from, to);
}

static int sync_folder(const char *live, const char *durable) {
    Path names, nameless;
    join(names, durable, "names", "");
    join(nameless, durable, "nameless", "");
    each_name(nameless, make_known, live, durable);
    each_name(names, forget_if_gone, live, durable);
    return 0;
}

static int kept(int fd, const char *path, const char *live, const char *durable) {
    Path lock;
    int locked, failed;
    join(lock, durable, "", ".lock");
    locked = open(lock, O_RDWR | O_CREAT, 0600);
    flock(locked, LOCK_EX); /* two processes sync the same file: the older copy must not win */
    failed = strcmp(path, live) == 0 ? sync_folder(live, durable)
                                     : sync_file(fd, path + strlen(live) + 1, durable);
    close(locked);
    return failed;
}

static int synced(int fd, long call) {
    char self[64], path[PATH_MAX];
    const char *live = getenv("DISK_LIVE"), *durable = getenv("DISK_DURABLE");
    ssize_t length;
    snprintf(self, sizeof self, "/proc/self/fd/%d", fd);
    length = readlink(self, path, sizeof path - 1);
    if (live && durable && length > 0) {
        path[length] = 0;
        if (strncmp(path, live, strlen(live)) == 0) return kept(fd, path, live, durable);
    }
    return (int)syscall(call, fd);
}

int fsync(int fd) { return synced(fd, SYS_fsync); }

int fdatasync(int fd) { return synced(fd, SYS_fdatasync); }
