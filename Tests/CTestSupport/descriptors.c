// A check of descriptors for every test. These functions stand before those of the C library, for our own code and for
// the shared libraries alike. A number that is closed twice may belong to somebody else by then: that ends the process, and
// says where. An event loop that removes a descriptor that it does not watch may only have been late: that is printed.
//
// The sanitizers have their own `close`, so the check is left out with them.
#define _GNU_SOURCE
#include "CTestSupport.h"
#include <errno.h>
#include <execinfo.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef __has_feature
#define __has_feature(x) 0
#endif

#if !__has_feature(thread_sanitizer) && !__has_feature(address_sanitizer)

/// Prints the call and the stack.
static void tell(const char *call, int descriptor) {
    char text[160];
    int error = errno;
    int length = snprintf(
        text, sizeof text, "\ndescriptor check: %s of descriptor %d: %s. Find in the stack who closed or used it before.\n",
        call, descriptor, strerror(error));
    if (write(STDERR_FILENO, text, length) < 0) abort();
    void *stack[40];
    backtrace_symbols_fd(stack, backtrace(stack, 40), STDERR_FILENO);
    errno = error;
}

int close(int descriptor) {
    int result = syscall(SYS_close, descriptor);
    // Libraries close -1 for "none".
    if (result < 0 && errno == EBADF && descriptor >= 0) {
        tell("close", descriptor);
        abort();
    }
    return result;
}

int epoll_ctl(int loop, int operation, int descriptor, struct epoll_event *event) {
    int result = syscall(SYS_epoll_ctl, loop, operation, descriptor, event);
    if (result < 0 && operation != EPOLL_CTL_ADD && (errno == EBADF || errno == ENOENT))
        tell(operation == EPOLL_CTL_DEL ? "epoll_ctl(DEL)" : "epoll_ctl(MOD)", descriptor);
    return result;
}

int test_checks_descriptors(void) { return 1; }

#else

int test_checks_descriptors(void) { return 0; }

#endif
