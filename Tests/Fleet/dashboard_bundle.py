"""Reads Superset's bundle, and says of each chart what it asks: as plain SQL, and as a query for Superset's API."""
import datetime
import pathlib
import re

import yaml

FOLDER = pathlib.Path(__file__).resolve().parents[2] / "deploy" / "fleet" / "dashboards" / "superset"

EMPTY = "no rows"


def read(kind):
    """{uuid: content} of the files of a kind: charts, datasets, dashboards."""
    files = [yaml.safe_load(file.read_text()) for file in sorted((FOLDER / kind).rglob("*.yaml"))]
    return {content["uuid"]: content for content in files}


class Dataset:
    def __init__(self, content):
        self.content = content
        self.table = f"{content['schema']}.{content['table_name']}"
        self.columns = {column["column_name"]: column for column in content["columns"]}
        self.metrics = {metric["metric_name"]: metric for metric in content["metrics"]}

    def expression(self, name):
        """The SQL of a column or a metric."""
        if name in self.metrics:
            return self.metrics[name]["expression"]
        return self.columns[name].get("expression") or name

    def title(self, name):
        return (self.metrics.get(name) or self.columns[name])["verbose_name"]


class Chart:
    def __init__(self, content, datasets):
        self.content, self.params = content, content["params"]
        self.name, self.uuid = content["slice_name"], content["uuid"]
        self.dataset = Dataset(datasets[content["dataset_uuid"]])

    @property
    def is_raw(self):
        return self.params.get("query_mode") == "raw"

    @property
    def columns(self):
        if self.is_raw:
            return self.params["all_columns"]
        by = self.params.get("groupby") or []
        return [*([self.params["x_axis"]] if "x_axis" in self.params else []), *([by] if isinstance(by, str) else by)]

    @property
    def metrics(self):
        return self.params.get("metrics") or ([self.params["metric"]] if "metric" in self.params else [])

    @property
    def filters(self):
        return self.params.get("adhoc_filters", [])

    def sql(self, since, until, site=None):
        """What Superset asks for all gyms, or for one."""
        fields = [f'{self.dataset.expression(name)} AS "{name}"' for name in [*self.columns, *self.metrics]]
        where = [f"{one['subject']} >= '{since}' AND {one['subject']} < '{until}'" for one in self.filters]
        where += [f"site = '{site}'"] if site else []
        text = f"SELECT {', '.join(fields)} FROM {self.dataset.table}"
        text += f" WHERE {' AND '.join(where)}" if where else ""
        if self.columns and not self.is_raw:
            text += f" GROUP BY {', '.join(str(number + 1) for number in range(len(self.columns)))}"
        return text

    def query(self, dataset_id, time_range):
        """The body for Superset's /chart/data."""
        return {
            "datasource": {"id": dataset_id, "type": "table"}, "force": True, "result_format": "json",
            "result_type": "full",
            "queries": [{
                "columns": self.columns, "metrics": self.metrics, "row_limit": self.params.get("row_limit", 10000),
                "filters": [{"col": one["subject"], "op": one["operator"], "val": time_range} for one in self.filters],
                "orderby": [], "is_timeseries": False}]}


def charts():
    datasets = read("datasets")
    return [Chart(content, datasets) for content in read("charts").values()]


def placed(dashboard):
    """The uuids of the charts that stand on a dashboard."""
    return [cell["meta"]["uuid"] for cell in dashboard["position"].values()
            if isinstance(cell, dict) and cell.get("type") == "CHART"]


def time_range(dashboard):
    """The days that a dashboard shows at first; None where it has no choice of days."""
    for one in dashboard["metadata"]["native_filter_configuration"]:
        if one["filterType"] == "filter_time":
            return one["defaultDataMask"]["extraFormData"]["time_range"]
    return None


def moments(time_range, today):
    """The first moment of a range of days such as `DATEADD(DATETIME("today"), -28, day) : …`, and the first after it.

    Superset's own words, such as `Last month`, end before today.
    """
    ends = re.findall(r'DATEADD\(DATETIME\("today"\), (-?\d+), day\)', time_range)
    if len(ends) != 2:
        raise ValueError(f"the test does not know the range {time_range}")
    midnight = datetime.datetime.combine(today, datetime.time())
    return [midnight + datetime.timedelta(days=int(days)) for days in ends]


def complaint(answer, chart):
    """What is wrong with the answer of /chart/data to a chart's query; None if nothing is."""
    result = answer["result"][0]
    if result.get("error"):
        return result["error"]
    if result.get("status") not in ("success", None):
        return f"status {result['status']}"
    if not result.get("rowcount"):
        return EMPTY
    lacking = [name for name in [*chart.columns, *chart.metrics] if name not in result["data"][0]]
    if lacking:
        return f"without the columns {', '.join(lacking)}"
    for name in chart.metrics:
        if all(row[name] is None for row in result["data"]):
            return f"without any value of {name}"
    return None
