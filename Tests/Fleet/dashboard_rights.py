"""Checks in a running Superset that people see the gyms that they are given: by Superset's row-level security, and as
guests of an embedded dashboard."""
import json
import secrets
import sys
import urllib.error
import urllib.request
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "deploy" / "fleet" / "dashboards"))
import import_bundle  # noqa: E402


def question(dataset):
    """Sessions by gym."""
    return {"datasource": {"id": dataset, "type": "table"}, "force": True, "result_format": "json",
            "result_type": "full",
            "queries": [{"columns": ["site"], "metrics": ["total_sessions"], "filters": [], "row_limit": 100}]}


def sessions(answer):
    return {row["site"]: row["total_sessions"] for row in answer["result"][0]["data"]}


def as_guest(superset, ticket, body):
    """Asks for data as a guest; the status where Superset refuses."""
    request = urllib.request.Request(f"{superset.address}/api/v1/chart/data", json.dumps(body).encode(),
                                     {"Content-Type": "application/json", "X-GuestToken": ticket})
    try:
        with urllib.request.build_opener(urllib.request.ProxyHandler({})).open(request, timeout=60) as answer:
            return json.load(answer)
    except urllib.error.HTTPError as error:
        return error.code


def guests(superset, ids, site, other):
    """What a guest sees whose ticket names one gym: its rows, those of another gym, those of another dashboard."""
    boards = {one["slug"]: one["id"] for one in superset.call("dashboard/")["result"]}
    uuid = superset.call(f"dashboard/{boards['spotter-gyms']}/embedded", {"allowed_domains": []})["result"]["uuid"]
    ticket = superset.call("security/guest_token/", {
        "user": {"username": "visitor"}, "resources": [{"type": "dashboard", "id": uuid}],
        "rls": [{"clause": f"site = '{site}'"}]})["token"]
    body = question(ids["gym_day"]) | {"form_data": {"dashboardId": boards["spotter-gyms"]}}
    own = as_guest(superset, ticket, body)
    body["queries"][0]["filters"] = [{"col": "site", "op": "==", "val": other}]
    foreign = as_guest(superset, ticket, body)
    operation = question(ids["completeness"]) | {"form_data": {"dashboardId": boards["spotter-gyms"]}}
    operation["queries"][0]["metrics"] = ["epochs"]
    return own, foreign, as_guest(superset, ticket, operation)


def permissions(superset):
    """All of Superset's permissions; it gives at most a hundred at a time."""
    found, page = [], 0
    while more := superset.call(f"security/permissions-resources/?q=(page:{page},page_size:100)")["result"]:
        found, page = found + more, page + 1
    return found


def member(superset, dataset, site):
    """What somebody sees whose role has a rule of Superset's row-level security."""
    role = superset.call("security/roles/", {"name": f"Owners of {site}"})["id"]
    wanted = [one["id"] for one in permissions(superset) if one["permission"]["name"] == "datasource_access"
              and "[gym_day]" in one["view_menu"]["name"]]
    superset.call(f"security/roles/{role}/permissions", {"permission_view_menu_ids": wanted})
    gamma = next(one["id"] for one in superset.call("security/roles/?q=(page_size:100)")["result"]
                 if one["name"] == "Gamma")
    password = secrets.token_urlsafe(12)
    superset.call("security/users/", {"username": "owner", "first_name": "An", "last_name": "Owner", "active": True,
                                      "email": "owner@localhost", "password": password, "roles": [role, gamma]})
    superset.call("rowlevelsecurity/", {"name": f"Only {site}", "filter_type": "Regular", "tables": [dataset],
                                        "roles": [role], "clause": f"site = '{site}'"})
    person = import_bundle.Superset(superset.address, "owner", password)
    return sessions(person.call("chart/data", question(dataset)))


def check(superset):
    """Returns what is wrong."""
    ids = {one["table_name"]: one["id"] for one in superset.call("dataset/?q=(page_size:100)")["result"]}
    everything = sessions(superset.call("chart/data", question(ids["gym_day"])))
    if len(everything) < 2:
        print("row-level security is not checked: the database has less than two gyms")
        return []
    (site, other), faults = sorted(everything)[:2], []
    expected = {site: everything[site]}
    seen = member(superset, ids["gym_day"], site)
    if seen != expected:
        faults.append(f"an owner of {site} sees {seen}")
    own, foreign, operation = guests(superset, ids, site, other)
    if own == 403 or sessions(own) != expected:
        faults.append(f"a guest of {site} sees {str(own)[:300]}")
    if foreign == 403 or sessions(foreign):
        faults.append(f"a guest of {site} asked for {other} and got {str(foreign)[:300]}")
    if operation != 403:
        faults.append(f"a guest asked for data of another dashboard and got {str(operation)[:300]}")
    print(f"row-level security: an owner and a guest of {site} see {everything[site]} of {sum(everything.values())} "
          f"sessions; {len(faults)} faults")
    return faults
