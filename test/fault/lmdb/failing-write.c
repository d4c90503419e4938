// Preloaded into a process: the next write of a few bytes at a position, as LMDB writes its meta pages, fails like that of a
// broken disk, once the file that FAIL_ONCE names exists.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

ssize_t pwrite64(int file, const void *bytes, size_t count, off64_t position) {
  ssize_t (*original)(int, const void *, size_t, off64_t) = dlsym(RTLD_NEXT, "pwrite64");
  const char *trigger = getenv("FAIL_ONCE");
  if (count < 512 && trigger != NULL && unlink(trigger) == 0) {
    errno = EIO;
    return -1;
  }
  return original(file, bytes, count, position);
}
