"""Reads the Grafana file, and puts in what Grafana would put in for macros and variables.

Sources: Grafana's documentation of the PostgreSQL data source (macros) and of variables (formats, custom value of All).
"""
import json
import pathlib
import re

FILE = pathlib.Path(__file__).resolve().parents[2] / "deploy" / "fleet" / "dashboards" / "grafana.json"
MACRO = re.compile(r"\$__(\w+)\(([^)]*)\)")
VARIABLE = re.compile(r"\$\{(\w+)(?::(\w+))?\}")


def read():
    return json.loads(FILE.read_text())


def panels(board):
    """The panels that ask something."""
    return [panel for panel in board["panels"] if panel["type"] != "row"]


def _quoted(values):
    return ",".join("'" + value.replace("'", "''") + "'" for value in values)


def variables(board, chosen):
    """{name: text} of the variables in SQL. `chosen` names values; where it has none, All is chosen."""
    texts = {}
    for one in board["templating"]["list"]:
        if one["type"] != "datasource":
            values = chosen.get(one["name"])
            # A custom value of All goes in as it is.
            texts[one["name"]] = _quoted(values) if values else one["allValue"]
    return texts


def statement(sql, texts, since, until):
    """The SQL that reaches PostgreSQL, for a range of time in UTC."""
    moments = [f"'{moment:%Y-%m-%dT%H:%M:%S.%fZ}'" for moment in (since, until)]

    def macro(found):
        name, argument = found.groups()
        if name == "timeFilter" and argument:
            return f"{argument} BETWEEN {moments[0]} AND {moments[1]}"
        if name in ("timeFrom", "timeTo") and not argument:
            return moments[name == "timeTo"]
        raise ValueError(f"the test does not know the macro {found.group()}")

    def variable(found):
        name, form = found.groups()
        if form != "sqlstring":
            raise ValueError(f"{found.group()} is not quoted as SQL; write ${{{name}:sqlstring}}")
        return texts[name]

    sql = VARIABLE.sub(variable, MACRO.sub(macro, sql))
    if "$" in sql:
        raise ValueError(f"not known to the test: {sql[sql.index('$'):][:40]}")
    return sql


def named(panel):
    """The columns that a panel names: in its overrides, as an axis, and as the time of a series."""
    names = {one["matcher"]["options"] for one in panel["fieldConfig"]["overrides"]}
    if panel["options"].get("xField"):
        names.add(panel["options"]["xField"])
    if panel["targets"][0]["format"] == "time_series":
        names.add("time")
    return names
