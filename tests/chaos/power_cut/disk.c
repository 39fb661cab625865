/* A library that records the files which a power cut would leave of a folder. It leaves the content
   of a file at its last sync, and a new or removed name only after a sync of its folder. Preloaded
   into a process, this copies the durable files of the folder DISK_LIVE to DISK_DURABLE, under
   `names`; files whose names are not durable yet are under `nameless`. It replaces the syncs of files
   in that folder, so the real disk does not sync them. */

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

static int path_exists(const char *path) { return access(path, F_OK) == 0; }

static void join(Path path, const char *folder, const char *subfolder, const char *name) {
    snprintf(path, sizeof(Path), "%s/%s/%s", folder, subfolder, name);
}

/* Reads through `fd`: to open and close the file again would drop SQLite's locks on it. */
static int copy(int fd, const char *target) {
    static __thread char block[1 << 16];
    off_t offset = 0;
    ssize_t size;
    int output = open(target, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (output < 0) return -1;
    while ((size = pread(fd, block, sizeof block, offset)) > 0 &&
           write(output, block, size) == size)
        offset += size;
    close(output);
    return size == 0 ? 0 : -1;
}

static int sync_file(int fd, const char *name, const char *durable) {
    Path target, new_copy;
    join(target, durable, "names", name);
    if (!path_exists(target)) join(target, durable, "nameless", name);
    join(new_copy, durable, "nameless", ".new");
    return copy(fd, new_copy) || rename(new_copy, target);
}

static void visit_names(const char *folder, void (*visit)(const char *, const char *, const char *),
                        const char *live, const char *durable) {
    struct dirent *entry;
    DIR *directory = opendir(folder);
    while (directory && (entry = readdir(directory)))
        if (entry->d_name[0] != '.') visit(entry->d_name, live, durable);
    if (directory) closedir(directory);
}

static void remove_if_gone(const char *name, const char *live, const char *durable) {
    Path live_path, durable_path;
    snprintf(live_path, sizeof live_path, "%s/%s", live, name);
    join(durable_path, durable, "names", name);
    if (!path_exists(live_path)) unlink(durable_path);
}

static void make_name_durable(const char *name, const char *live, const char *durable) {
    Path source, target;
    (void)live;
    join(source, durable, "nameless", name);
    join(target, durable, "names", name);
    rename(source, target);
}

static int sync_folder(const char *live, const char *durable) {
    Path names, nameless;
    join(names, durable, "names", "");
    join(nameless, durable, "nameless", "");
    visit_names(nameless, make_name_durable, live, durable);
    visit_names(names, remove_if_gone, live, durable);
    return 0;
}

static int record_sync(int fd, const char *path, const char *live, const char *durable) {
    Path lock_path;
    int lock, result;
    join(lock_path, durable, "", ".lock");
    lock = open(lock_path, O_RDWR | O_CREAT, 0600);
    flock(lock, LOCK_EX); /* if two processes sync a file, the older copy must not be the last */
    result = strcmp(path, live) == 0 ? sync_folder(live, durable)
                                     : sync_file(fd, path + strlen(live) + 1, durable);
    close(lock);
    return result;
}

static int sync_descriptor(int fd, long call) {
    char link[64], path[PATH_MAX];
    const char *live = getenv("DISK_LIVE"), *durable = getenv("DISK_DURABLE");
    ssize_t length;
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    length = readlink(link, path, sizeof path - 1);
    if (live && durable && length > 0) {
        path[length] = 0;
        if (strncmp(path, live, strlen(live)) == 0) return record_sync(fd, path, live, durable);
    }
    return (int)syscall(call, fd);
}

int fsync(int fd) { return sync_descriptor(fd, SYS_fsync); }

int fdatasync(int fd) { return sync_descriptor(fd, SYS_fdatasync); }
