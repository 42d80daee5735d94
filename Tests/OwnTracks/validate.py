"""Says, line by line, what OwnTracks' schema has against the JSON texts of standard input, or `valid`.

validate.py FOLDER [SCHEMA.json [strict]]: the folder of the schemas; `strict` also holds each member of a message
to the definition of its name, which the schema itself does only for some.
"""
import json
import pathlib
import sys
import warnings

import jsonschema

# Debian 12 has a version that knows no other way.
warnings.filterwarnings("ignore", category=DeprecationWarning)

folder = pathlib.Path(sys.argv[1])
name = sys.argv[2] if len(sys.argv) > 2 else "message.json"
schemas = {}
for path in folder.glob("*.json"):
    schema = json.loads(path.read_text())
    schemas[schema["$id"]] = schema
schema = json.loads((folder / name).read_text())


def validator(schema):
    resolver = jsonschema.RefResolver(schema.get("$id", ""), schema, store=schemas)
    return jsonschema.Draft202012Validator(
        schema, resolver=resolver, format_checker=jsonschema.FormatChecker())


def complaints(message):
    yield from validator(schema).iter_errors(message)
    if "strict" not in sys.argv or not isinstance(message, dict):
        return
    for key, value in message.items():
        # The schema wants `wtst`, a date as `tst`, and does not define it.
        definition = schema["$defs"].get("tst" if key == "wtst" else key)
        if key == "waypoints":
            for waypoint in value if isinstance(value, list) else [value]:
                yield from complaints(waypoint)
        elif definition:
            yield from validator(definition).iter_errors(value)
        # What apps tell of themselves stands under the name of their system.
        elif key != "linux":
            yield jsonschema.ValidationError(f"{key} is not in the schema")


for line in sys.stdin:
    try:
        wrong = [error.message for error in complaints(json.loads(line))]
    except json.JSONDecodeError as error:
        wrong = [str(error)]
    print(wrong[0].replace("\n", " ") if wrong else "valid", flush=True)
