"""Takes deploy/home-assistant into a real Home Assistant beside a real node and broker: its checker accepts the files, every
entity stands under its id and has a value, both automations do what they say, and the dashboard is drawn.

    home_assistant.py path/to/spotter path/to/hass [folder for the picture]

home_assistant.sh installs Home Assistant and starts this.
"""
import asyncio
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import time

import aiohttp

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path += [str(ROOT / "Tests" / name) for name in ("TestSupport", "Page")]
from checks_alarms import write_fall  # noqa: E402
from ports import free_port  # noqa: E402

FILES = ROOT / "deploy/home-assistant"
PAGE = ROOT / "Sources/Node/spotter/Spotter.docc/HomeAssistant.md"
# What the page calls "your own": a light, a fan's switch, and a message that goes into a file.
CONFIGURATION = """
homeassistant: {{name: Gym, latitude: 52.5, longitude: 13.4, elevation: 30, unit_system: metric, time_zone: Europe/Berlin}}
http: {{server_host: 127.0.0.1, server_port: {port}}}
frontend:
config:
api:
recorder:
history:
logbook:
input_boolean: {{light: {{}}, ventilation: {{}}}}
template:
  - light:
      - name: Gym
        state: "{{{{ is_state('input_boolean.light', 'on') }}}}"
        turn_on: {{action: input_boolean.turn_on, target: {{entity_id: input_boolean.light}}}}
        turn_off: {{action: input_boolean.turn_off, target: {{entity_id: input_boolean.light}}}}
  - switch:
      - name: Ventilation
        state: "{{{{ is_state('input_boolean.ventilation', 'on') }}}}"
        turn_on: {{action: input_boolean.turn_on, target: {{entity_id: input_boolean.ventilation}}}}
        turn_off: {{action: input_boolean.turn_off, target: {{entity_id: input_boolean.ventilation}}}}
command_line:
  - notify: {{name: notify, command: "cat > '{folder}/told.txt'"}}
logger: {{default: warning}}
"""


def check(words, is_true, seen=""):
    print(("ok   " if is_true else "FAIL ") + words + ("" if is_true else f": {seen}"), flush=True)
    check.failures += not is_true


check.failures = 0


def storage(folder, name, data, version=1, minor=1):
    file = folder / ".storage" / name
    file.parent.mkdir(exist_ok=True)
    file.write_text(json.dumps({"version": version, "minor_version": minor, "key": name, "data": data}))


def block_of_the_page():
    """What the page says to write into configuration.yaml."""
    found = re.search(r"^( *)```yaml\n(.*?)^ *```", PAGE.read_text(), re.M | re.S)
    return "".join(line.removeprefix(found[1]) for line in found[2].splitlines(keepends=True))


def prepare(folder, port, broker):
    """A Home Assistant that is set up, with a user and the broker, and with both files as the page says."""
    (folder / "configuration.yaml").write_text(CONFIGURATION.format(port=port, folder=folder) + block_of_the_page())
    automations = (FILES / "automations.yaml").read_text()
    # A minute and a quarter of an hour are too long for a test.
    (folder / "spotter-automations.yaml").write_text(re.sub(r'for: "00:\d\d:00"', 'for: "00:00:02"', automations))
    (folder / "spotter-dashboard.yaml").write_text((FILES / "dashboard.yaml").read_text())
    storage(folder, "onboarding", {"done": ["user", "core_config", "analytics", "integration"]}, version=4)
    entry = {
        "created_at": "2026-01-01T00:00:00+00:00", "modified_at": "2026-01-01T00:00:00+00:00",
        "data": {"broker": "127.0.0.1", "port": broker}, "options": {}, "disabled_by": None, "discovery_keys": {},
        "domain": "mqtt", "entry_id": "01JGXA0000000000000000MQTT", "minor_version": 2, "version": 1,
        "pref_disable_new_entities": False, "pref_disable_polling": False, "source": "user", "subentries": [],
        "title": "127.0.0.1", "unique_id": None}
    storage(folder, "core.config_entries", {"entries": [entry]}, minor=5)


class HomeAssistant:
    """The REST and the WebSocket API, as the user `tester`."""

    def __init__(self, session, address):
        self.session, self.address, self.token = session, address, None

    async def log_in(self):
        client = self.address + "/"
        start = {"client_id": client, "handler": ["homeassistant", None], "redirect_uri": client}
        async with self.session.post(f"{self.address}/auth/login_flow", json=start) as answer:
            flow = (await answer.json())["flow_id"]
        given = {"client_id": client, "username": "tester", "password": "tester"}
        async with self.session.post(f"{self.address}/auth/login_flow/{flow}", json=given) as answer:
            code = (await answer.json())["result"]
        wanted = {"client_id": client, "grant_type": "authorization_code", "code": code}
        async with self.session.post(f"{self.address}/auth/token", data=wanted) as answer:
            self.token = await answer.json()

    async def states(self):
        headers = {"Authorization": f"Bearer {self.token['access_token']}"}
        async with self.session.get(f"{self.address}/api/states", headers=headers) as answer:
            return {state["entity_id"]: state for state in await answer.json()}

    async def dashboard(self):
        async with self.session.ws_connect(f"{self.address}/api/websocket") as socket:
            await socket.receive_json()
            await socket.send_json({"type": "auth", "access_token": self.token["access_token"]})
            await socket.receive_json()
            await socket.send_json({"id": 1, "type": "lovelace/config", "url_path": "spotter-gym"})
            return (await socket.receive_json()).get("result") or {}


async def until(seconds, look):
    """The last value of a question, once it is true or the time is over."""
    end = time.monotonic() + seconds
    while True:
        try:
            found = await look()
        except (aiohttp.ClientError, KeyError):
            found = None
        if found or time.monotonic() > end:
            return found
        await asyncio.sleep(1)


def write_stream(spotter, folder):
    """Somebody squats for 40 seconds; then another person falls and stays on the floor."""
    subprocess.run([spotter, "synthesize", "--motion", "squat", "--clips", "1", "--seconds", "40", "-o", folder / "made"],
                   check=True, capture_output=True)
    squats = (folder / "made/squat/squat_0.poses.jsonl").read_text().splitlines()
    falls = write_fall(folder / "fall.poses.jsonl").read_text().splitlines()[1:]
    lines = squats[:]
    for line in map(json.loads, falls):
        line["t"] += 41
        line["poses"][0]["track"] = 99
        lines.append(json.dumps(line))
    file = folder / "gym.poses.jsonl"
    file.write_text("\n".join(lines) + "\n")
    return file


def wanted_entities():
    text = "".join((FILES / name).read_text() for name in ("automations.yaml", "dashboard.yaml"))
    return set(re.findall(r"\b(?:binary_sensor|sensor|event|switch|button)\.sp_[a-z0-9_]+", text))


async def look(folder, address):
    async with aiohttp.ClientSession() as session:
        home = HomeAssistant(session, address)
        await until(300, lambda: answers(session, address))
        await home.log_in()
        wanted = wanted_entities()

        async def missing():
            states = await home.states()
            return {key: states[key]["state"] if key in states else "not there" for key in wanted
                    if key not in states or states[key]["state"] == "unavailable"}

        async def complete():
            return not await missing()

        check(f"all {len(wanted)} entities are there", await until(120, complete), await missing())

        async def acted():
            states = await home.states()
            return states["light.gym"]["state"] == "on" and states["switch.ventilation"]["state"] == "on"

        states = await home.states()
        for key in ("automation.somebody_lies_on_the_floor", "automation.the_ventilation_runs_while_somebody_is_in_the_gym"):
            check(f"{key} is on", states.get(key, {}).get("state") == "on", states.get(key))
        check("the light and the ventilation go on", await until(60, acted))
        told = folder / "told.txt"
        await until(20, lambda: asyncio.sleep(0, told.exists() and told.stat().st_size > 0))
        text = told.read_text() if told.exists() else ""
        check("the message says where and why", "person down" in text and "fall" in text, text)
        cards = [card for view in (await home.dashboard()).get("views", []) for card in view["cards"]]
        check("the dashboard is read", len(cards) >= 7, cards)
        return home


async def answers(session, address):
    async with session.get(address + "/manifest.json") as answer:
        return answer.status == 200


def draw(folder, pictures, home):
    """A picture of the dashboard, and the faults that its cards show."""
    from browser import Browser
    browser = Browser(folder)
    try:
        browser.open(home.address + "/manifest.json", "start")
        kept = {**home.token, "hassUrl": home.address, "clientId": home.address + "/",
                "expires": int((time.time() + 1800) * 1000)}
        browser.js("localStorage.setItem('hassTokens', arguments[0]);", json.dumps(kept))
        browser.open(home.address + "/spotter-gym/gym", "dashboard")
        # The cards lie in shadow roots.
        script = """
            const all = (root) => [...root.querySelectorAll('*')].flatMap((e) => [e, ...(e.shadowRoot ? all(e.shadowRoot) : [])]);
            const found = all(document);
            return [found.filter((e) => e.localName === 'ha-card').length,
                    found.filter((e) => /^(hui-error-card|hui-warning)$/.test(e.localName)).map((e) => e.shadowRoot?.textContent ?? '')];
        """
        for _ in range(60):
            count, faults = browser.js(script)
            if count >= 7:
                break
            time.sleep(1)
        time.sleep(5)
        count, faults = browser.js(script)
        check("the dashboard is drawn, without a card that complains", count >= 7 and not faults, (count, faults))
        pictures.mkdir(parents=True, exist_ok=True)
        browser.picture(pictures / "home-assistant.png", is_whole=True)
    finally:
        browser.driver.quit()


def main():
    spotter, hass = (pathlib.Path(name).absolute() for name in sys.argv[1:3])
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        port, broker = free_port(), free_port()
        (folder / "mosquitto.conf").write_text(f"listener {broker} 127.0.0.1\nallow_anonymous true\n")
        stream = write_stream(spotter, folder)
        (folder / "node.toml").write_text(
            f'node.site = "berlin"\nnode.id = "sp-k3v9q2m1xa"\nmqtt.host = "127.0.0.1"\nmqtt.port = {broker}\n'
            f'history.path = "{folder}/spotter.db"\nalarm.enabled = true\nalarm.fall_seconds = 3\n'
            f'[[camera]]\nid = "rack-1"\nname = "Rack 1"\nsource = "{stream}"\n')
        home_folder = folder / "home"
        home_folder.mkdir()
        prepare(home_folder, port, broker)
        checked = subprocess.run([hass, "--script", "check_config", "-c", home_folder], capture_output=True, text=True)
        said = checked.stdout + checked.stderr
        check("Home Assistant's checker accepts the files", not re.search("(?i)failed config|invalid config|error", said), said)
        subprocess.run([hass, "--script", "auth", "-c", home_folder, "add", "tester", "tester"], check=True,
                       capture_output=True)
        programs = [["mosquitto", "-c", folder / "mosquitto.conf"],
                    [spotter, "run", "--config", folder / "node.toml", "--realtime", "--quiet"], [hass, "-c", home_folder]]
        running = []
        try:
            for line in programs:
                running.append(subprocess.Popen(line, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL))
            home = asyncio.run(look(home_folder, f"http://127.0.0.1:{port}"))
            if len(sys.argv) > 3:
                draw(folder, pathlib.Path(sys.argv[3]), home)
        finally:
            for child in reversed(running):
                child.terminate()
            for child in running:
                child.wait()
            log = home_folder / "home-assistant.log"
            if check.failures and log.exists():
                print(log.read_text()[-4000:])
    print(f"{check.failures} failed")
    return 1 if check.failures else 0


if __name__ == "__main__":
    sys.exit(main())
