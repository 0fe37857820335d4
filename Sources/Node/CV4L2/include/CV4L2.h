// Video4Linux for Swift: the kernel's structs, and wrappers for what Swift cannot import (function-like request macros
// and variadic functions).
#pragma once

#include <linux/videodev2.h>
#include <libv4l2.h>
#include <libv4lconvert.h>

static const unsigned long cv4l2_querycap = VIDIOC_QUERYCAP;
static const unsigned long cv4l2_enum_fmt = VIDIOC_ENUM_FMT;
static const unsigned long cv4l2_enum_framesizes = VIDIOC_ENUM_FRAMESIZES;
static const unsigned long cv4l2_enum_frameintervals = VIDIOC_ENUM_FRAMEINTERVALS;
static const unsigned long cv4l2_s_fmt = VIDIOC_S_FMT;
static const unsigned long cv4l2_s_parm = VIDIOC_S_PARM;
static const unsigned long cv4l2_queryctrl = VIDIOC_QUERYCTRL;
static const unsigned long cv4l2_g_ctrl = VIDIOC_G_CTRL;
static const unsigned long cv4l2_s_ctrl = VIDIOC_S_CTRL;
static const unsigned long cv4l2_reqbufs = VIDIOC_REQBUFS;
static const unsigned long cv4l2_querybuf = VIDIOC_QUERYBUF;
static const unsigned long cv4l2_qbuf = VIDIOC_QBUF;
static const unsigned long cv4l2_dqbuf = VIDIOC_DQBUF;
static const unsigned long cv4l2_streamon = VIDIOC_STREAMON;
static const unsigned long cv4l2_streamoff = VIDIOC_STREAMOFF;

static const unsigned int cv4l2_cid_gain = V4L2_CID_GAIN;
static const unsigned int cv4l2_cid_autogain = V4L2_CID_AUTOGAIN;
static const unsigned int cv4l2_cid_exposure_auto = V4L2_CID_EXPOSURE_AUTO;
static const unsigned int cv4l2_cid_exposure_absolute = V4L2_CID_EXPOSURE_ABSOLUTE;
static const unsigned int cv4l2_cid_auto_white_balance = V4L2_CID_AUTO_WHITE_BALANCE;
static const unsigned int cv4l2_cid_white_balance_temperature = V4L2_CID_WHITE_BALANCE_TEMPERATURE;
static const unsigned int cv4l2_cid_power_line_frequency = V4L2_CID_POWER_LINE_FREQUENCY;
static const unsigned int cv4l2_cid_hflip = V4L2_CID_HFLIP;
static const unsigned int cv4l2_cid_vflip = V4L2_CID_VFLIP;
static const unsigned int cv4l2_cid_rotate = V4L2_CID_ROTATE;
static const unsigned int cv4l2_cid_image_stabilization = V4L2_CID_IMAGE_STABILIZATION;

/// Opens a device for non-blocking streaming through libv4l's plugins, without libv4l's format conversion. Returns the
/// descriptor, or the negative errno.
int cv4l2_open(const char *path);

/// Calls v4l2_ioctl, which is variadic and cannot be called from Swift. Returns 0, or the negative errno.
int cv4l2_ioctl(int descriptor, unsigned long request, void *argument);

/// Creates libv4l's pixel format converter without a device. Returns NULL on failure.
struct v4lconvert_data *cv4l2_converter_create(void);
