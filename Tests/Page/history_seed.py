"""A history of some weeks: one recording is recognised, and its export is imported again for earlier days."""
import json
import pathlib
import re
import subprocess
from datetime import date, datetime, timedelta

from node import clean_environment

# Days ago. Predictions are kept for two weeks, so older days have none.
DAYS = [1, 2, 3, 5, 20, 40]
PREDICTION_DAYS = 14
ID = re.compile(r"^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$")
MOMENT = re.compile(r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$")
DAY = re.compile(r"^\d{4}-\d\d-\d\d$")


def earlier(row, days):
    """The row as if it had happened so many days before, with ids of its own."""
    moved = {}
    for name, value in row.items():
        if isinstance(value, str) and ID.match(value) and name != "epoch":
            value = value[:-2] + f"{days:02x}"
        elif isinstance(value, str) and MOMENT.match(value):
            moment = datetime.strptime(value, "%Y-%m-%dT%H:%M:%S.%fZ") - timedelta(days=days)
            value = moment.strftime("%Y-%m-%dT%H:%M:%S.") + f"{moment.microsecond // 1000:03}Z"
        elif isinstance(value, str) and DAY.match(value):
            value = str(date.fromisoformat(value) - timedelta(days=days))
        moved[name] = value
    return moved


def fill(spotter, folder, nodes):
    folder = pathlib.Path(folder)
    database = folder / "seed.db"
    # The first minute of each stream is enough.
    for clip, lines in (("demo", 1900), ("two_people", 720)):
        stream = (folder / f"{clip}.poses.jsonl").read_text().splitlines(keepends=True)
        (folder / f"seed_{clip}.poses.jsonl").write_text("".join(stream[:lines]))
    (folder / "seed.toml").write_text(
        nodes[0].configuration.read_text().replace(str(nodes[0].database), str(database))
        .replace("web.enabled = true", "web.enabled = false").split("[[camera]]")[0]
        + "".join(f'[[camera]]\nid = "{name}"\nsource = "{folder}/seed_{clip}.poses.jsonl"\n'
                  for name, clip in (("floor", "demo"), ("pair", "two_people"))))

    def command(*arguments):
        return subprocess.run(
            [spotter, *arguments], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True, timeout=60, check=True,
            env=clean_environment()).stdout
    command("run", "--config", folder / "seed.toml", "--no-mqtt", "--quiet")
    rows = [json.loads(line) for line in command("export", "--database", database).splitlines()]
    about, rows = rows[0], rows[1:]
    # There will be other rows than it says.
    about.pop("rows")
    with (folder / "history.jsonl").open("w") as file:
        file.write(json.dumps(about) + "\n")
        # The importer wants a table's rows together.
        for table in dict.fromkeys(row["table"] for row in rows):
            for days in DAYS:
                if table == "predictions" and days > PREDICTION_DAYS:
                    continue
                for row in rows:
                    if row["table"] == table:
                        file.write(json.dumps(earlier(row, days)) + "\n")
    for node in nodes:
        command("import", folder / "history.jsonl", "--database", node.database)
