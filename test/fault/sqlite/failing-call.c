// Preloaded into a process: the next write at a position, or the next sync, of a file of the database fails like that of a broken disk,
// once the file that FAIL_WRITE or FAIL_SYNC names exists.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

static int fails(const char *name) {
  const char *trigger = getenv(name);
  return trigger != NULL && unlink(trigger) == 0;
}

ssize_t pwrite64(int file, const void *bytes, size_t count, off64_t position) {
  ssize_t (*original)(int, const void *, size_t, off64_t) = dlsym(RTLD_NEXT, "pwrite64");
  if (fails("FAIL_WRITE")) {
    errno = EIO;
    return -1;
  }
  return original(file, bytes, count, position);
}

static int sync_by(const char *name, int file) {
  int (*original)(int) = dlsym(RTLD_NEXT, name);
  if (fails("FAIL_SYNC")) {
    errno = EIO;
    return -1;
  }
  return original(file);
}

int fsync(int file) { return sync_by("fsync", file); }

int fdatasync(int file) { return sync_by("fdatasync", file); }
