"""Compares the answers of the API with its description, to the last key."""
import json

import jsonschema


class Description:
    """The description of one node. Every answer that differs from it is kept in `misfits`."""

    def __init__(self):
        self.routes, self.misfits, self.seen, self.count = None, [], set(), 0

    def read(self, text):
        document = json.loads(text)
        schemas = {name: _exact(schema) for name, schema in document["components"]["schemas"].items()}
        self.routes = []
        for path, methods in document["paths"].items():
            for method, operation in methods.items():
                content = operation["responses"]["200"]["content"].get("application/json")
                if content:
                    schema = {**_exact(content["schema"]), "components": {"schemas": schemas}}
                    self.routes.append((method.upper(), path.split("/"), jsonschema.Draft202012Validator(schema)))

    def check(self, method, address, text):
        """Looks at an answer of status 200."""
        parts = address.split("?")[0].split("/")
        # The path with the fewest braces is the one that answers.
        found = [(sum("{" in part for part in path), path, validator) for wanted, path, validator in self.routes or []
                 if wanted == method and len(path) == len(parts)
                 and all("{" in one or one == other for one, other in zip(path, parts))]
        if not found:
            return
        _, path, validator = min(found, key=lambda entry: entry[0])
        self.count += 1
        self.seen.add((method, "/".join(path)))
        fault = jsonschema.exceptions.best_match(validator.iter_errors(json.loads(text)))
        if fault and len(self.misfits) < 20:
            self.misfits.append(f"{method} {address}: {fault.json_path}: {fault.message[:200]}")


def _exact(schema):
    """The same schema, where an object has no keys but those that are named."""
    if isinstance(schema, list):
        return [_exact(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    exact = {key: {name: _exact(part) for name, part in value.items()} if key == "properties" else _exact(value)
             for key, value in schema.items()}
    if "properties" in exact:
        exact.setdefault("additionalProperties", False)
    return exact
