import Capture
import Testing

@Suite struct RedactionTests {
    @Test(arguments: [
        ("opening rtsp://a:b:c@d@host/x failed", "opening rtsp://a:***@host/x failed"),
        ("rtsp://a:p/w@host/x", "rtsp://a:***@host/x"),
        ("http://h:8080/x@2.jpg", "http://h:8080/x@2.jpg"),
        ("12:30 a@b.c", "12:30 a@b.c"),
        ("http://h/x?channel=1&subtype=0", "http://h/x?channel=1&subtype=0"),
        ("http://h/x?a=1&access_token=s&b=2", "http://h/x?a=1&access_token=***&b=2"),
        ("http://h/x?api_key=s", "http://h/x?api_key=***"), ("http://h/x?apikey=s", "http://h/x?apikey=***"),
        ("https://h/x?sv=1&sig=s%3D", "https://h/x?sv=1&sig=***"),
        ("https://h/x?X-Amz-Signature=s&X-Amz-Credential=c", "https://h/x?X-Amz-Signature=***&X-Amz-Credential=***"),
        ("http://h/x?usr=admin&PWD=s", "http://h/x?usr=admin&PWD=***"),
        ("http://h/x?loginuse=a&loginpas=s", "http://h/x?loginuse=a&loginpas=***"),
        ("ffplay 'http://h/x?token=***'", "ffplay 'http://h/x?token=***'"),
        ("rtsp://a:***@h/x", "rtsp://a:***@h/x"),
    ])
    func `secrets in addresses are covered, and nothing else`(text: String, covered: String) {
        #expect(Redaction.covered(in: text) == covered)
    }

    @Test(arguments: [
        ("clips/squat.mp4", "squat.mp4"), ("squat?.mp4", "squat?.mp4"),
        ("rtsp://u:p@h/cam/main?k=s", "main"), ("http://u:p@h?k=s", "a stream"), ("http://h/a.mp4#t=token", "a.mp4"),
        ("/dev/video0", "video0"),
    ])
    func `a file names its source without address and query`(source: String, name: String) {
        #expect(Redaction.name(of: source) == name)
    }
}
