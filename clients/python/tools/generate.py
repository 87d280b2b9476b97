"""Writes slipway_client/types.py and slipway_client/operations.py from docs/openapi.json into a folder.

    generate.py FOLDER

Each schema becomes a TypedDict, and each operation a method of a class that Client extends. A list of pages gets a
second method that reads it to its end; what an operation can answer as a file gets a third.
"""

from __future__ import annotations

import json
import keyword
import re
import sys
import textwrap
from pathlib import Path
from typing import Any

DOCUMENT = Path(__file__).parents[3] / "docs" / "openapi.json"
HEAD = "# Generated from docs/openapi.json by tools/generate.py.\n"
JSON = "application/json"
WIDTH = 116

# The headers that a caller sets with an argument of the method: its name, and its type.
HEADERS = {
    "Idempotency-Key": ("key", "str"),
    "If-Match": ("if_version", "int"),
    "X-2FA-Code": ("code", "str"),
    "Slipway-Organisation": ("organisation", "str"),
    "Slipway-Invoice-Token": ("invoice_token", "str"),
    "partnerId": ("partner_id", "str"),
}


def snake(name: str) -> str:
    """Returns a name as Python writes it: listAPIKeys is list_api_keys, and from is from_."""
    name = re.sub(r"[^0-9A-Za-z]+", "_", name).strip("_")
    name = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", name).lower()

    return f"{name}_" if keyword.iskeyword(name) or name in ("type", "types") else name


def text(*parts: str | None, indent: str) -> str:
    """Returns a docstring."""
    paragraphs = [" ".join(p.split()) for part in parts if part for p in part.split("\n\n") if p.strip()]
    if not paragraphs:
        return ""

    if not paragraphs[0].endswith("."):
        paragraphs[0] += "."

    wrap = textwrap.TextWrapper(width=WIDTH - len(indent), break_long_words=False, break_on_hyphens=False)
    lines = "\n\n".join(wrap.fill(p.replace("\\", "\\\\").replace('"""', "'''")) for p in paragraphs).split("\n")
    quoted = '"""' + "\n".join(indent + line if line and i else line for i, line in enumerate(lines))
    end = "" if len(lines) == 1 and not quoted.endswith('"') else "\n" + indent

    return f'{indent}{quoted}{end}"""\n'


class Types:
    """Collects the TypedDicts."""

    def __init__(self, schemas: dict[str, Any]) -> None:
        self._schemas = schemas
        self._written: dict[str, str] = {}

    def all(self) -> str:
        for name, schema in self._schemas.items():
            self._define(name, schema)

        body = "\n\n".join(self._written[name] for name in sorted(self._written))

        return (
            f'{HEAD}"""The bodies and answers of operations, as dictionaries. An amount is a text of digits."""\n\n'
            "from __future__ import annotations\n\n"
            "from decimal import Decimal\n"
            "from typing import Any, Literal, NotRequired, TypedDict\n\n\n" + body
        )

    def of(self, schema: dict[str, Any], name: str) -> str:
        """Returns the type of a value. name is what an object without a name of its own is called."""
        if "$ref" in schema:
            return schema["$ref"].rsplit("/", 1)[1]

        for union in ("oneOf", "anyOf"):
            if union in schema:
                kinds = [self.of(s, f"{name}{i or ''}") for i, s in enumerate(schema[union])]
                return " | ".join(dict.fromkeys(kinds))

        kinds = schema.get("type", [])
        kinds = [kinds] if isinstance(kinds, str) else list(kinds)

        if "array" in kinds:
            return f"list[{self.of(schema.get('items', {}), name)}]"  # without entries it is [], and never null

        null = " | None" if "null" in kinds else ""

        if "enum" in schema:
            values = [v for v in schema["enum"] if v is not None]
            return f"Literal[{', '.join(json.dumps(v, ensure_ascii=False) for v in values)}]{null}"

        kind = next((k for k in kinds if k != "null"), "")

        if kind == "object":
            return self._object(schema, name) + null

        plain = {"string": "str", "integer": "int", "boolean": "bool", "number": "int | Decimal | float"}

        return plain.get(kind, "None" if kinds == ["null"] else "Any") + (null if kind else "")

    def _object(self, schema: dict[str, Any], name: str) -> str:
        if schema.get("properties"):
            self._define(name, schema)
            return name

        more = schema.get("additionalProperties")

        return f"dict[str, {self.of(more, name) if isinstance(more, dict) else 'Any'}]"

    def _define(self, name: str, schema: dict[str, Any]) -> None:
        if not schema.get("properties"):
            self._written[name] = f"{name} = {self.of(schema, name + 'Value')}\n"
            return

        needed = schema.get("required", [])
        fields: dict[str, str] = {}

        for field, value in schema["properties"].items():
            kind = self.of(value, name + field.lstrip("_")[:1].upper() + field.lstrip("_")[1:])
            fields[field] = kind if field in needed else f"NotRequired[{kind}]"

        if any(keyword.iskeyword(f) or not f.isidentifier() for f in fields):
            rows = "".join(f'        "{f}": {json.dumps(kind.replace(chr(34), chr(39)))},\n' for f, kind in fields.items())
            self._written[name] = f"{name} = TypedDict(\n    \"{name}\",\n    {{\n{rows}    }},\n)\n"
        else:
            rows = "".join(f"    {f}: {kind}\n" for f, kind in fields.items())
            self._written[name] = f"class {name}(TypedDict):\n{rows}"


def main_content(operation: dict[str, Any]) -> tuple[dict[str, Any] | None, list[str]]:
    """Returns the schema of the JSON that an operation answers, and what else it answers."""
    for status, answer in sorted(operation["responses"].items()):
        if status.startswith("2"):
            content = answer.get("content", {})
            return content.get(JSON, {}).get("schema"), [k for k in content if k != JSON]

    return None, []


class Method:
    """One operation."""

    def __init__(self, types: Types, path: str, verb: str, operation: dict[str, Any]) -> None:
        self.name = snake(operation["operationId"])
        self.verb = verb.upper()
        self.path = path
        self.summary = operation.get("summary")
        self.description = operation.get("description")
        self.answer, self.files = main_content(operation)

        parameters = operation.get("parameters", [])
        self.places = [p["name"] for p in parameters if p["in"] == "path"]
        self.rows = ""  # the type of an entry, of a list that comes in pages
        self.query = [(p, self._type(types, p)) for p in parameters if p["in"] == "query"]
        self.headers = [p["name"] for p in parameters if p["in"] == "header" and p["name"] in HEADERS]

        self.body = ""
        content = operation.get("requestBody", {}).get("content", {})
        camel = operation["operationId"][0].upper() + operation["operationId"][1:]
        kinds = []

        if JSON in content:
            kinds.append(self.named(types, content[JSON]["schema"], camel + "Body"))
        if "multipart/form-data" in content:
            kinds.append("File")

        self.body = " | ".join(kinds)
        self.optional_body = not operation.get("requestBody", {}).get("required", False)
        self.kind = self.named(types, self.answer, camel + "Answer") if self.answer else "None"

    @staticmethod
    def _type(types: Types, parameter: dict[str, Any]) -> str:
        kind = types.of(parameter["schema"], "").removesuffix(" | None")
        return re.sub(r"^list\[", "Sequence[", kind)

    @staticmethod
    def named(types: Types, schema: dict[str, Any], name: str) -> str:
        """Returns the type of a value as operations.py names it."""

        def named(m: re.Match[str]) -> str:
            return m[0] if m[0] in ("Any", "None", "Literal", "Decimal") else f"types.{m[0]}"

        return re.sub(r"\b[A-Z]\w+\b", named, types.of(schema, name))

    def signature(self, name: str, extra: list[str], leave: set[str], kind: str) -> str:
        positional = ["self"] + [f"{self.place(p)}: str" for p in self.places]
        named = list(extra)

        if self.body:
            positional.append(f"body: {self.body}" + (" | None = None" if self.optional_body else ""))

        for p, type_ in self.query:
            if p["name"] not in leave:
                named.append(f"{snake(p['name'])}: {type_}" + ("" if p.get("required") else " | None = None"))

        named += [f"{HEADERS[h][0]}: {HEADERS[h][1]} | None = None" for h in self.headers]
        required = [n for n in named if "= " not in n]
        named = required + [n for n in named if "= " in n]
        lines = positional + (["*"] + named if named else [])

        return f"    def {name}(\n" + "".join(f"        {a},\n" for a in lines) + f"    ) -> {kind}:\n"

    @staticmethod
    def place(name: str) -> str:
        """Returns the argument of a word in a path."""
        return "key_" if name == "key" else snake(name)

    def call(self, extra: str = "") -> str:
        path = re.sub(r"\{(\w+)\}", lambda m: "{quote(" + self.place(m[1]) + ", safe='')}", self.path)
        arguments = [f'"{self.verb}"', f'f"{path}"' if self.places else f'"{path}"']

        if self.body:
            arguments.append("body")
        if self.query:
            rows = [f'                "{p["name"]}": {snake(p["name"])},\n' for p, _ in self.query]
            arguments.append("query={\n" + "".join(rows) + "            }")

        rows = [
            f'"{h}": ' + ("None if if_version is None else str(if_version)" if h == "If-Match" else HEADERS[h][0])
            for h in self.headers
        ]
        if extra:
            rows.append(extra)
        if rows:
            arguments.append("headers={" + ", ".join(rows) + "}")
        if "Idempotency-Key" in self.headers:
            arguments.append("keyed=True")

        return "self.call(\n" + "".join(f"            {a},\n" for a in arguments)

    def text(self) -> str:
        out = ""

        if self.answer or not self.files:
            out += self.signature(self.name, [], set(), self.kind)
            out += text(self.summary, self.description, indent=" " * 8)
            out += f"        return {self.call()}        )\n"

        if self.files:
            name = self.name + "_file" if self.answer else self.name
            several = len(self.files) > 1
            extra = [f"accept: {self._accepts()} | None = None"] if several else []
            header = '"Accept": accept' if several else f'"Accept": "{self.files[0]}"'
            out += "\n" * bool(out) + self.signature(name, extra, set(), "bytes")
            also = "Returns the bytes of a file."
            out += text(self.summary, also, self.description, indent=" " * 8)
            out += f"        return {self.call(header)}            raw=True,\n        )\n"

        if self.rows:
            name = "all_" + self.name.removeprefix("list_")
            out += "\n" + self.signature(name, [], {"cursor"}, f"Iterator[{self.rows}]")
            out += text(self.summary, "Reads the list to its end, page after page as they are needed.", indent=" " * 8)
            out += (
                f"        return pages(\n            lambda cursor: {self.call().replace(chr(10) + ' ' * 12, chr(10) + ' ' * 16)}"
                "            )\n        )\n"
            )

        return out

    def _accepts(self) -> str:
        return "Literal[" + ", ".join(f'"{f}"' for f in self.files) + "]"


def main(to: Path) -> None:
    document = json.loads(DOCUMENT.read_text(encoding="utf-8"))
    schemas = document["components"]["schemas"]
    schemas["Problem"]["properties"]["code"] = {"type": "string"}
    types = Types(schemas)
    methods = []

    for path, operations in document["paths"].items():
        for verb, operation in operations.items():
            answer, files = main_content(operation)
            if answer is None and files == ["text/event-stream"]:
                continue  # Client.events follows the events by longer requests, which proxies let through

            m = Method(types, path, verb, operation)
            fields = schemas.get(m.kind.removeprefix("types."), {}).get("properties", {})
            if "nextCursor" in fields and any(p["name"] == "cursor" for p, _ in m.query):
                m.rows = m.named(types, fields["results"]["items"], "Row")
            methods.append(m)

    methods.sort(key=lambda m: m.name)
    body = "\n".join(m.text() for m in methods)
    (to / "types.py").write_text(types.all(), encoding="utf-8")
    (to / "operations.py").write_text(
        f'{HEAD}"""The operations, each a method with its name. An argument that is None is left out."""\n\n'
        "from __future__ import annotations\n\n"
        "from collections.abc import Iterator, Sequence\n"
        "from typing import Any, Literal\n"
        "from urllib.parse import quote\n\n"
        "from . import types\n"
        "from .pages import pages\n"
        "from .transport import File\n\n\n"
        "class Operations:\n"
        '    """What Client can do."""\n\n'
        "    def call(self, method: str, path: str, body: Any = None, **how: Any) -> Any:\n"
        '        """Is defined by Client."""\n'
        "        raise NotImplementedError\n\n" + body,
        encoding="utf-8",
    )


if __name__ == "__main__":
    main(Path(sys.argv[1]))
