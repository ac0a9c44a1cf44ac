// To be preloaded into `hyperscale run`: its executors are started under callgrind. They are started by /proc/self/exe,
// which valgrind itself does not follow. bench/recording_cost.py says with which program and where counts go.
#define _GNU_SOURCE
#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { kArgumentsMax = 32 };

int execv(const char* path, char* const arguments[]) {
  char* program = getenv("EXECUTOR_PROGRAM");
  char* out = getenv("EXECUTOR_OUT");
  unsetenv("LD_PRELOAD");
  if (program == NULL || out == NULL || arguments[1] == NULL || strcmp(arguments[1], "executor") != 0)
    return execve(path, arguments, environ);
  char* under[kArgumentsMax + 1] = {"valgrind", "--tool=callgrind", out, program};
  size_t count = 4;
  for (size_t i = 1; arguments[i] != NULL; ++i) {
    if (count == kArgumentsMax) {
      errno = E2BIG;
      return -1;
    }
    under[count++] = arguments[i];
  }
  return execvp(under[0], under);
}
