"""A network camera on the loopback address: GStreamer's RTSP server with a main stream, a sub-stream and a log-in.

    rtsp_camera.py PORT MAIN.mp4 SUB.mp4

The streams are /main and /sub; the user is anna, the password pa:ss/1 (digest). Needs Debian's gir1.2-gst-rtsp-server-1.0,
python3-gi and gstreamer1.0-plugins-base, -good and -bad.
"""
import sys

import gi
gi.require_version("Gst", "1.0")
gi.require_version("GstRtsp", "1.0")
gi.require_version("GstRtspServer", "1.0")
from gi.repository import GLib, Gst, GstRtsp, GstRtspServer  # noqa: E402

USER, PASSWORD = "anna", "pa:ss/1"


def main():
    Gst.init(None)
    server = GstRtspServer.RTSPServer.new()
    server.set_address("127.0.0.1")
    server.set_service(sys.argv[1])
    auth = GstRtspServer.RTSPAuth.new()
    auth.set_supported_methods(GstRtsp.RTSPAuthMethod.DIGEST)
    token = GstRtspServer.RTSPToken()
    token.set_string(GstRtspServer.RTSP_TOKEN_MEDIA_FACTORY_ROLE, "viewer")
    auth.add_digest(USER, PASSWORD, token)
    server.set_auth(auth)
    for path, film in (("/main", sys.argv[2]), ("/sub", sys.argv[3])):
        factory = GstRtspServer.RTSPMediaFactory.new()
        factory.set_launch(f"( filesrc location={film} ! qtdemux ! h264parse ! rtph264pay name=pay0 pt=96 config-interval=1 )")
        factory.add_role_from_structure(permissions())
        server.get_mount_points().add_factory(path, factory)
    server.attach(None)
    GLib.MainLoop().run()


def permissions():
    """The viewer may ask for a stream and get it."""
    found, _ = Gst.Structure.from_string("viewer, media.factory.access=(boolean)true, media.factory.construct=(boolean)true;")
    return found


if __name__ == "__main__":
    main()
