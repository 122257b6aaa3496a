/* Starts a process that has left its group and outlives it. */
#define _DEFAULT_SOURCE
#include <unistd.h>

#include "plugin.h"
ENTRY(leaves_process) {
  const pid_t child = fork();
  if (child == 0) {
    setsid();
    if (fork() == 0) sleep(1000);
    _exit(0);
  }
  return open_as("leaves_process", host, backend, err);
}
