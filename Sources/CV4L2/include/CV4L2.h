// Video4Linux for Swift: the kernel's structs as they are, and what Swift cannot see by itself
// (function-like request macros and variadic calls). Declarations only, no logic.
#pragma once

#include <linux/videodev2.h>
#include <libv4l2.h>

static const unsigned long cv4l2_querycap = VIDIOC_QUERYCAP;
static const unsigned long cv4l2_g_fmt = VIDIOC_G_FMT;
static const unsigned long cv4l2_s_fmt = VIDIOC_S_FMT;
static const unsigned long cv4l2_s_parm = VIDIOC_S_PARM;
static const unsigned long cv4l2_reqbufs = VIDIOC_REQBUFS;
static const unsigned long cv4l2_querybuf = VIDIOC_QUERYBUF;
static const unsigned long cv4l2_qbuf = VIDIOC_QBUF;
static const unsigned long cv4l2_dqbuf = VIDIOC_DQBUF;
static const unsigned long cv4l2_streamon = VIDIOC_STREAMON;
static const unsigned long cv4l2_streamoff = VIDIOC_STREAMOFF;
static const unsigned int cv4l2_rgb24 = V4L2_PIX_FMT_RGB24;

/// v4l2_open and v4l2_ioctl are variadic, which Swift cannot call.
int cv4l2_open(const char *path, int flags);
int cv4l2_ioctl(int descriptor, unsigned long request, void *argument);
