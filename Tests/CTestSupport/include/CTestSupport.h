#pragma once
#include <spawn.h>

/// What glibc declares only with `_GNU_SOURCE`, which Swift does not set.

/// A pipe whose ends no program inherits: first the end to read from.
int test_pipe(int ends[2]);
/// The child works in this folder.
int test_spawn_in_folder(posix_spawn_file_actions_t *actions, const char *path);
/// The child inherits no descriptor from this one on.
int test_spawn_close_from(posix_spawn_file_actions_t *actions, int descriptor);

/// Whether each `close` and `epoll_ctl` of this process is checked.
int test_checks_descriptors(void);
