#include "CV4L2.h"

int cv4l2_open(const char *path, int flags) { return v4l2_open(path, flags); }

int cv4l2_ioctl(int descriptor, unsigned long request, void *argument) {
    return v4l2_ioctl(descriptor, request, argument);
}
