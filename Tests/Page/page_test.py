#!/usr/bin/python3
"""Checks the node's page in a real browser: page_test.py path/to/spotter FOLDER PICTURES.

FOLDER holds the clips that test.sh makes, and everything that the test makes; PICTURES is where pictures of all pages
are left. Three nodes run one after the other. "front" watches a real clip on the loopback address, is killed and comes
back. "gym" watches it as well, may show its pictures and keeps joints. "office" has a history and passwords. All
traffic of the browser goes through a recorder, except on the page that sees its node killed.
"""
import pathlib
import signal
import sys

import checks_access
import checks_alarms
import checks_cameras
import checks_clips
import checks_corrections
import checks_german
import checks_history
import checks_kept
import checks_learn
import checks_live
import checks_members
import checks_pages
import checks_pictures
import checks_privacy
import checks_setup
import checks_train
import checks_wall
import checks_workouts
import checks_zones
import clip_seed
import history_seed
from browser import Browser
from node import Node, free_port
from recorder import Recorder
from report import Report

# No answer of a node may hold them. They stand where people put them: in a camera's address, in the broker's file.
CAMERA_PASSWORD = "gate-4711-hush"
SECRETS = {"the camera's password": CAMERA_PASSWORD, "the broker's password": "broker-0815-hush"}
GYM = """web.pictures = "aim"
history.keep_poses = 2
recognition.session_idle_seconds = 5
learning.enabled = true
learning.questions_a_week = 100
learning.train = false
"""


def configuration(cameras, folder):
    secret = folder / "broker-password"
    secret.write_text(SECRETS["the broker's password"] + "\n")
    secret.chmod(0o600)
    text = f"""node.name = "Front desk"
node.time_zone = "Europe/Berlin"
recognition.subjects = "everyone"
mqtt.host = "127.0.0.1"
mqtt.port = {free_port()}
mqtt.user = "node"
mqtt.password_file = "{secret}"
"""
    for name, words, source in cameras:
        text += f'[[camera]]\nid = "{name}"\nname = "{words}"\nsource = "{source}"\n'
    return text


class Test:
    """What the parts of the test share."""

    def __init__(self, spotter, folder, pictures):
        self.spotter, self.folder, self.pictures = spotter, folder, pictures
        self.report, self.secrets = Report(), dict(SECRETS)
        # Nobody listens there, so the camera is offline; its address holds a password all the same.
        door = f"rtsp://guard:{CAMERA_PASSWORD}@127.0.0.1:{free_port()}/door"
        checks_live.hide_a_wrist(folder / "two_people.poses.jsonl")
        self.front = Node(spotter, folder, "front", configuration(
            [("floor", "Floor", folder / "demo.mp4"), ("pair", "Pair", folder / "two_people.poses.jsonl"),
             ("door", "Door", door)], folder))
        self.office = Node(spotter, folder, "office", configuration(
            [("floor", "Floor", door), ("pair", "Pair", door)], folder), address="0.0.0.0")
        checks_workouts.write_plans(folder / "plans")
        plans = f'workouts.plans = "{folder}/plans"\n'
        self.gym = Node(spotter, folder, "gym", plans + GYM + configuration([("floor", "Floor", folder / "demo.mp4")], folder))
        self.club = Node(spotter, folder, "club", configuration([("floor", "Floor", door), ("pair", "Pair", door)], folder))
        fall = checks_alarms.write_fall(folder / "fall.poses.jsonl")
        self.hall = Node(spotter, folder, "hall", checks_alarms.SETTINGS + configuration([("hall", "Hall", fall)], folder))
        nodes = (self.front, self.office, self.gym, self.club, self.hall)
        self.recorders = [Recorder(node.port) for node in nodes]
        self.browser, self.cookie, self.live_text, self.more_origins = None, None, "", []


def prepare(test):
    """Makes the history, starts a node and a browser; False if that is not possible."""
    history_seed.fill(test.spotter, test.folder, [test.front, test.office])
    clip_seed.fill(test.front)
    test.front.start("--realtime")
    test.browser = Browser(test.folder)
    return True


def back_again(test):
    """Where a part failed halfway, the rest still needs a node."""
    if not test.front.process or test.front.process.poll() is not None:
        test.front.kill()
        test.report.part("the node starts again", test.front.start, "--realtime")


def main():
    spotter, folder, pictures = (pathlib.Path(argument) for argument in sys.argv[1:4])
    # The finally below must run, too, when somebody ends the test.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    test = Test(spotter, folder, pictures)
    report = test.report
    try:
        if not report.part("a history, a node and a browser", prepare, test):
            return report.end()
        report.part("the live page", checks_live.live, test)
        report.part("the skeletons", checks_live.skeletons, test)
        report.part("the count", checks_live.counting, test)
        report.part("the switch of a camera", checks_live.switching, test)
        report.part("the node is killed and comes back", checks_live.killed, test)
        back_again(test)
        report.part("the wall", checks_wall.wall, test)
        report.part("the page for aiming", checks_wall.aim, test)
        report.part("pictures where they are not allowed", checks_pictures.never, test)
        report.part("a clip is recorded", checks_clips.record, test)
        report.part("the clips", checks_clips.clips, test)
        report.part("a training is stopped", checks_train.stopped, test)
        report.part("few clips are filmed again", checks_train.taught, test)
        report.part("a model is trained", checks_train.train, test)
        report.part("the model is used", checks_train.used, test)
        back_again(test)
        report.part("the node's page", checks_privacy.node_page, test)
        report.part("secrets", checks_privacy.secrets, test)
        report.part("pictures of the pages", checks_pages.pictures_of_front, test)
        report.part("the front's pages in German", checks_german.front, test)
        report.part("the front node stops", checks_live.stopped, test)
        report.part("answers of other months", checks_learn.fill, test)
        report.part("a node that may show pictures", test.gym.start, "--realtime")
        report.part("pictures while aiming", checks_pictures.pictures, test)
        report.part("a workout runs itself", checks_workouts.whole, test)
        report.part("a workout and its name", checks_workouts.details, test)
        report.part("a prescription", checks_workouts.prescribed, test)
        report.part("a workout is skipped and stopped", checks_workouts.stopped, test)
        report.part("a workout with a standard", checks_workouts.strict, test)
        report.part("past workouts as a file", checks_workouts.file, test)
        report.part("workouts and questions in German", checks_german.gym, test)
        report.part("zones and masks are drawn", checks_zones.draw, test)
        report.part("pictures of zones", checks_pages.pictures_of_gym, test)
        report.part("the zone is live", checks_zones.live, test)
        report.part("a mask over everything", checks_zones.masked, test)
        report.part("the history of the zone", checks_zones.history, test)
        report.part("the replay of a set", checks_kept.kept, test)
        report.part("questions are answered on a phone", checks_learn.answered, test)
        report.part("the settings of a camera", checks_cameras.settings, test)
        report.part("a viewer at the gym", checks_access.viewer_of_gym, test)
        report.part("a viewer draws nothing", checks_zones.viewer, test)
        report.part("a viewer sees no pictures", checks_pictures.viewer, test)
        report.part("a viewer starts no workout", checks_workouts.viewer, test)
        report.part("that node stops", checks_pictures.stopped, test)
        report.part("a club", checks_members.seed, test)
        report.part("load and exertion", checks_members.effort, test)
        report.part("records", checks_members.records, test)
        report.part("a file for a phone", checks_members.link, test)
        report.part("a member", checks_members.member, test)
        report.part("the club closes", checks_members.stop, test)
        report.part("a made-up week", checks_setup.made_up, test)
        report.part("a node is set up on its page", checks_setup.set_up, test)
        report.part("somebody falls", checks_alarms.told, test)
        report.part("the alarm is acknowledged", checks_alarms.acknowledged, test)
        report.part("the hall closes", checks_alarms.stop, test)
        report.part("nobody comes in without a password", checks_access.locked, test)
        report.part("the log-in in German", checks_german.login, test)
        report.part("signing in", checks_access.sign_in, test)
        report.part("the history is the commands' history", checks_history.interface, test)
        report.part("the history's page", checks_history.page, test)
        report.part("how full it is", checks_history.floor, test)
        report.part("the history in German", checks_german.office, test)
        report.part("no replay where nothing is kept", checks_kept.never, test)
        report.part("a set is corrected", checks_corrections.correct, test)
        report.part("pictures of history, session and sign-in", checks_pages.pictures_of_office, test)
        report.part("the correction is taken back", checks_corrections.undo, test)
        report.part("a session is deleted", checks_history.delete, test)
        report.part("a viewer", checks_access.viewer, test)
        report.part("a viewer corrects nothing", checks_corrections.viewer, test)
        report.part("a viewer does not train", checks_train.viewer, test)
        report.part("the link that works once", checks_access.link, test)
        report.part("the wall's own role", checks_access.wall, test)
        report.part("what the browser noticed", checks_privacy.browser, test)
        report.part("what travelled", checks_privacy.traffic, test)
        report.part("answers and their description", checks_access.described, test)
    finally:
        for node in (test.front, test.gym, test.office, test.club, test.hall):
            node.kill()
        for recorder in test.recorders:
            recorder.close()
        if test.browser:
            test.browser.close()
    checks_pages.list_pictures(pictures)
    return report.end()


if __name__ == "__main__":
    sys.exit(main())
