#define _GNU_SOURCE
#include "CTestSupport.h"
#include <fcntl.h>
#include <unistd.h>

int test_pipe(int ends[2]) { return pipe2(ends, O_CLOEXEC); }

int test_spawn_in_folder(posix_spawn_file_actions_t *actions, const char *path) {
    return posix_spawn_file_actions_addchdir_np(actions, path);
}

int test_spawn_close_from(posix_spawn_file_actions_t *actions, int descriptor) {
    return posix_spawn_file_actions_addclosefrom_np(actions, descriptor);
}
