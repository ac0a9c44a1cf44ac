// To be preloaded into `hyperscale run`: its executors are started under callgrind, without their sandbox, which would
// keep valgrind from its own system calls and from writing its counts. They are started by /proc/self/exe, which
// valgrind itself does not follow. bench/recording_cost.py says with which program and where counts go.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <grp.h>
#include <spawn.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { kArgumentsMax = 32, kVariableBytes = 1024 };

typedef int (*Spawn)(pid_t*, const char*, const posix_spawn_file_actions_t*, const posix_spawnattr_t*, char* const[],
                     char* const[]);
typedef long (*Syscall)(long, ...);

static int is_executor(void) {
  return getenv("EXECUTOR_IS_COUNTED") != NULL;
}

// In the runner: the executor's command becomes one of valgrind, which preloads this library again.
int posix_spawn(pid_t* child, const char* path, const posix_spawn_file_actions_t* files,
                const posix_spawnattr_t* attributes, char* const arguments[], char* const environment[]) {
  Spawn next = (Spawn)dlsym(RTLD_NEXT, "posix_spawn");
  char* program = getenv("EXECUTOR_PROGRAM");
  char* out = getenv("EXECUTOR_OUT");
  if (program == NULL || out == NULL || arguments[1] == NULL || strcmp(arguments[1], "executor") != 0)
    return next(child, path, files, attributes, arguments, environment);
  char* under[kArgumentsMax + 1] = {"valgrind", "--tool=callgrind", out, program};
  size_t count = 4;
  for (size_t i = 1; arguments[i] != NULL; ++i) {
    if (count == kArgumentsMax) return E2BIG;
    under[count++] = arguments[i];
  }
  static char preload[kVariableBytes];
  snprintf(preload, sizeof preload, "LD_PRELOAD=%s", getenv("LD_PRELOAD"));
  char* counted[] = {preload, "EXECUTOR_IS_COUNTED=1", "PATH=/usr/bin:/bin", NULL};
  return next(child, "/usr/bin/valgrind", files, attributes, under, counted);
}

// In the executor: it stays who it is, on a kernel that has no filters.
int setresuid(uid_t real, uid_t effective, uid_t saved) {
  (void)real, (void)effective, (void)saved;
  return 0;
}

int setresgid(gid_t real, gid_t effective, gid_t saved) {
  (void)real, (void)effective, (void)saved;
  return 0;
}

int setgroups(size_t size, const gid_t* list) {
  (void)size, (void)list;
  return 0;
}

long syscall(long number, ...) {
  va_list rest;
  va_start(rest, number);
  long a[6];
  for (int i = 0; i < 6; ++i) a[i] = va_arg(rest, long);
  va_end(rest);
  if (is_executor() && number == SYS_capset) return 0;
  if (is_executor() && (number == SYS_seccomp || number == SYS_landlock_create_ruleset)) {
    errno = ENOSYS;
    return -1;
  }
  Syscall next = (Syscall)dlsym(RTLD_NEXT, "syscall");
  return next(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}
