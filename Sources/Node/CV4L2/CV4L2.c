#include "CV4L2.h"

#include <errno.h>
#include <fcntl.h>
#include <libv4l-plugin.h>
#include <libv4lconvert.h>
#include <string.h>
#include <unistd.h>

int cv4l2_open(const char *path) {
    const int descriptor = open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC);
    if (descriptor < 0) return -errno;
    if (v4l2_fd_open(descriptor, V4L2_DISABLE_CONVERSION) < 0) {
        const int error = errno;
        close(descriptor);
        return -error;
    }
    return descriptor;
}

int cv4l2_ioctl(int descriptor, unsigned long request, void *argument) {
    return v4l2_ioctl(descriptor, request, argument) < 0 ? -errno : 0;
}

// libv4lconvert queries its device to decide which software corrections to apply. This stand-in reports a capture
// device that delivers RGB and needs no correction.
static int stub_ioctl(void *unused, int descriptor, unsigned long request, void *argument) {
    (void)unused, (void)descriptor;
    if (request == VIDIOC_QUERYCAP) {
        struct v4l2_capability *capability = argument;
        memset(capability, 0, sizeof *capability);
        capability->capabilities = V4L2_CAP_VIDEO_CAPTURE | V4L2_CAP_STREAMING;
        return 0;
    }
    if (request == VIDIOC_ENUM_FMT && ((struct v4l2_fmtdesc *)argument)->index == 0) {
        ((struct v4l2_fmtdesc *)argument)->pixelformat = V4L2_PIX_FMT_RGB24;
        return 0;
    }
    errno = request == VIDIOC_ENUM_FMT ? EINVAL : ENOTTY;
    return -1;
}

struct v4lconvert_data *cv4l2_converter_create(void) {
    static const struct libv4l_dev_ops stub = {.ioctl = stub_ioctl};
    const int descriptor = open("/dev/null", O_RDWR | O_CLOEXEC);
    struct v4lconvert_data *converter = v4lconvert_create_with_dev_ops(descriptor, NULL, &stub);
    // The converter uses the descriptor only while it is created.
    if (descriptor >= 0) close(descriptor);
    return converter;
}
