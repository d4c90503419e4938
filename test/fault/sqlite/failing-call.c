// Preloaded into a process. Each variable names a file that triggers one fault of the database's disk and is removed:
// FAIL_WRITE and FAIL_SYNC let the next write or sync fail with EIO; KILL_SYNC kills the process just before a sync,
// and KILL_WRITE in the middle of a write. Two stay in force: NO_LINKS lets link(2) fail with EPERM, and FOLDER_SYNC names
// the error (EINVAL or EIO) with which the sync of a folder fails.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int fails(const char *name) {
  const char *trigger = getenv(name);
  return trigger != NULL && unlink(trigger) == 0;
}

ssize_t pwrite64(int file, const void *bytes, size_t count, off64_t position) {
  ssize_t (*original)(int, const void *, size_t, off64_t) = dlsym(RTLD_NEXT, "pwrite64");
  // Kills at the second write of a commit, so that the first one is in the log
  static int writes = 0;
  if (writes == 0 && fails("KILL_WRITE")) writes = 1;
  else if (writes == 1) {
    original(file, bytes, count / 2, position);
    kill(getpid(), SIGKILL);
  }
  if (fails("FAIL_WRITE")) {
    errno = EIO;
    return -1;
  }
  return original(file, bytes, count, position);
}

int link(const char *from, const char *to) {
  int (*original)(const char *, const char *) = dlsym(RTLD_NEXT, "link");
  if (getenv("NO_LINKS") == NULL) return original(from, to);
  errno = EPERM;
  return -1;
}

static int sync_by(const char *name, int file) {
  int (*original)(int) = dlsym(RTLD_NEXT, name);
  struct stat found;
  const char *error = getenv("FOLDER_SYNC");
  if (error != NULL && fstat(file, &found) == 0 && S_ISDIR(found.st_mode)) {
    errno = strcmp(error, "EIO") == 0 ? EIO : EINVAL;
    return -1;
  }
  if (fails("KILL_SYNC")) kill(getpid(), SIGKILL);
  if (fails("FAIL_SYNC")) {
    errno = EIO;
    return -1;
  }
  return original(file);
}

int fsync(int file) { return sync_by("fsync", file); }

int fdatasync(int file) { return sync_by("fdatasync", file); }
