// The page's files as parts of the program. The Swift compiler would read them from four times as many bytes of literals.
#include "page.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char aim_html[] = {
#embed "../Web/Page/aim.html"
};
static const unsigned char alarm_js[] = {
#embed "../Web/Page/alarm.js"
};
static const unsigned char api_js[] = {
#embed "../Web/Page/api.js"
};
static const unsigned char areas_js[] = {
#embed "../Web/Page/areas.js"
};
static const unsigned char audio_js[] = {
#embed "../Web/Page/audio.js"
};
static const unsigned char camera_settings_js[] = {
#embed "../Web/Page/camera-settings.js"
};
static const unsigned char common_js[] = {
#embed "../Web/Page/common.js"
};
static const unsigned char effort_js[] = {
#embed "../Web/Page/effort.js"
};
static const unsigned char heat_map_js[] = {
#embed "../Web/Page/heat-map.js"
};
static const unsigned char history_html[] = {
#embed "../Web/Page/history.html"
};
static const unsigned char icon_svg[] = {
#embed "../Web/Page/icon.svg"
};
static const unsigned char index_html[] = {
#embed "../Web/Page/index.html"
};
static const unsigned char learn_css[] = {
#embed "../Web/Page/learn.css"
};
static const unsigned char learn_html[] = {
#embed "../Web/Page/learn.html"
};
static const unsigned char live_js[] = {
#embed "../Web/Page/live.js"
};
static const unsigned char login_html[] = {
#embed "../Web/Page/login.html"
};
static const unsigned char made_up_js[] = {
#embed "../Web/Page/made-up.js"
};
static const unsigned char manifest_webmanifest[] = {
#embed "../Web/Page/manifest.webmanifest"
};
static const unsigned char member_html[] = {
#embed "../Web/Page/member.html"
};
static const unsigned char node_html[] = {
#embed "../Web/Page/node.html"
};
static const unsigned char page_aim_js[] = {
#embed "../Web/Page/page-aim.js"
};
static const unsigned char page_history_js[] = {
#embed "../Web/Page/page-history.js"
};
static const unsigned char page_learn_js[] = {
#embed "../Web/Page/page-learn.js"
};
static const unsigned char page_live_js[] = {
#embed "../Web/Page/page-live.js"
};
static const unsigned char page_login_js[] = {
#embed "../Web/Page/page-login.js"
};
static const unsigned char page_member_js[] = {
#embed "../Web/Page/page-member.js"
};
static const unsigned char page_node_js[] = {
#embed "../Web/Page/page-node.js"
};
static const unsigned char page_session_js[] = {
#embed "../Web/Page/page-session.js"
};
static const unsigned char page_setup_js[] = {
#embed "../Web/Page/page-setup.js"
};
static const unsigned char page_train_js[] = {
#embed "../Web/Page/page-train.js"
};
static const unsigned char page_tv_js[] = {
#embed "../Web/Page/page-tv.js"
};
static const unsigned char page_workouts_js[] = {
#embed "../Web/Page/page-workouts.js"
};
static const unsigned char pictures_js[] = {
#embed "../Web/Page/pictures.js"
};
static const unsigned char qr_code_js[] = {
#embed "../Web/Page/qr-code.js"
};
static const unsigned char records_js[] = {
#embed "../Web/Page/records.js"
};
static const unsigned char replay_js[] = {
#embed "../Web/Page/replay.js"
};
static const unsigned char sentences_js[] = {
#embed "../Web/Page/sentences.js"
};
static const unsigned char session_html[] = {
#embed "../Web/Page/session.html"
};
static const unsigned char set_replay_js[] = {
#embed "../Web/Page/set-replay.js"
};
static const unsigned char setup_css[] = {
#embed "../Web/Page/setup.css"
};
static const unsigned char setup_html[] = {
#embed "../Web/Page/setup.html"
};
static const unsigned char skeleton_js[] = {
#embed "../Web/Page/skeleton.js"
};
static const unsigned char speeds_js[] = {
#embed "../Web/Page/speeds.js"
};
static const unsigned char style_css[] = {
#embed "../Web/Page/style.css"
};
static const unsigned char text_js[] = {
#embed "../Web/Page/text.js"
};
static const unsigned char timeline_js[] = {
#embed "../Web/Page/timeline.js"
};
static const unsigned char train_css[] = {
#embed "../Web/Page/train.css"
};
static const unsigned char train_html[] = {
#embed "../Web/Page/train.html"
};
static const unsigned char training_js[] = {
#embed "../Web/Page/training.js"
};
static const unsigned char tv_html[] = {
#embed "../Web/Page/tv.html"
};
static const unsigned char workout_detail_js[] = {
#embed "../Web/Page/workout-detail.js"
};
static const unsigned char workouts_css[] = {
#embed "../Web/Page/workouts.css"
};
static const unsigned char workouts_html[] = {
#embed "../Web/Page/workouts.html"
};

#define FILE(name, bytes) {name, bytes, sizeof bytes}

static const struct page_file files[] = {
    FILE("aim.html", aim_html),
    FILE("alarm.js", alarm_js),
    FILE("api.js", api_js),
    FILE("areas.js", areas_js),
    FILE("audio.js", audio_js),
    FILE("camera-settings.js", camera_settings_js),
    FILE("common.js", common_js),
    FILE("effort.js", effort_js),
    FILE("heat-map.js", heat_map_js),
    FILE("history.html", history_html),
    FILE("icon.svg", icon_svg),
    FILE("index.html", index_html),
    FILE("learn.css", learn_css),
    FILE("learn.html", learn_html),
    FILE("live.js", live_js),
    FILE("login.html", login_html),
    FILE("made-up.js", made_up_js),
    FILE("manifest.webmanifest", manifest_webmanifest),
    FILE("member.html", member_html),
    FILE("node.html", node_html),
    FILE("page-aim.js", page_aim_js),
    FILE("page-history.js", page_history_js),
    FILE("page-learn.js", page_learn_js),
    FILE("page-live.js", page_live_js),
    FILE("page-login.js", page_login_js),
    FILE("page-member.js", page_member_js),
    FILE("page-node.js", page_node_js),
    FILE("page-session.js", page_session_js),
    FILE("page-setup.js", page_setup_js),
    FILE("page-train.js", page_train_js),
    FILE("page-tv.js", page_tv_js),
    FILE("page-workouts.js", page_workouts_js),
    FILE("pictures.js", pictures_js),
    FILE("qr-code.js", qr_code_js),
    FILE("records.js", records_js),
    FILE("replay.js", replay_js),
    FILE("sentences.js", sentences_js),
    FILE("session.html", session_html),
    FILE("set-replay.js", set_replay_js),
    FILE("setup.css", setup_css),
    FILE("setup.html", setup_html),
    FILE("skeleton.js", skeleton_js),
    FILE("speeds.js", speeds_js),
    FILE("style.css", style_css),
    FILE("text.js", text_js),
    FILE("timeline.js", timeline_js),
    FILE("train.css", train_css),
    FILE("train.html", train_html),
    FILE("training.js", training_js),
    FILE("tv.html", tv_html),
    FILE("workout-detail.js", workout_detail_js),
    FILE("workouts.css", workouts_css),
    FILE("workouts.html", workouts_html),
};

const struct page_file *page_files(unsigned long *count) {
    *count = sizeof files / sizeof *files;
    return files;
}
