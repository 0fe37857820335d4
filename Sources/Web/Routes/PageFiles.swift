/// The files of the folder Page, which the build makes part of the program.
enum PageFiles {
    /// The bytes of each file by its name.
    static let named: [String: [UInt8]] = [
        "aim.html": PackageResources.aim_html,
        "api.js": PackageResources.api_js,
        "common.js": PackageResources.common_js,
        "history.html": PackageResources.history_html,
        "icon.svg": PackageResources.icon_svg,
        "index.html": PackageResources.index_html,
        "live.js": PackageResources.live_js,
        "login.html": PackageResources.login_html,
        "manifest.webmanifest": PackageResources.manifest_webmanifest,
        "node.html": PackageResources.node_html,
        "openapi.json": PackageResources.openapi_json,
        "page-aim.js": PackageResources.page_aim_js,
        "page-history.js": PackageResources.page_history_js,
        "page-live.js": PackageResources.page_live_js,
        "page-login.js": PackageResources.page_login_js,
        "page-node.js": PackageResources.page_node_js,
        "page-session.js": PackageResources.page_session_js,
        "page-tv.js": PackageResources.page_tv_js,
        "session.html": PackageResources.session_html,
        "skeleton.js": PackageResources.skeleton_js,
        "style.css": PackageResources.style_css,
        "text.js": PackageResources.text_js,
        "timeline.js": PackageResources.timeline_js,
        "tv.html": PackageResources.tv_html,
    ]
}
