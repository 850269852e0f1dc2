"""The OpenAPI document of ``/api/NAME``, made from the parameters themselves."""

from __future__ import annotations

from typing import Any

from thunderref.serve.page import LANGUAGES
from thunderref.serve.parameters import PARAMETERS, Parameter

_SCHEMAS: dict[str, dict[str, Any]] = {
    "text": {"type": "string"},
    "number": {"type": "integer"},
    "decimal": {"type": "number"},
    "flag": {"type": "boolean"},
    "cards": {"type": "string", "description": "cards separated by commas: 2 militia, short sword"},
    "ranks": {"type": "string", "description": "rank 1 first, separated by commas; - for an empty rank"},
    "texts": {"type": "array", "items": {"type": "string"}},
}
_ABOUT = {
    "card": "The cards that a name means", "rule": "Rules, keywords and procedures",
    "ask": "The passages that answer a question", "setup": "A set-up for the table",
    "resolve": "A verdict for each target", "village": "A visit to the village", "odds": "The chances of a battle",
    "score": "Victory points and who wins",
}  # fmt: skip
_STATUSES = {
    "400": "A foreign Host", "403": "No token", "413": "Too much", "422": "What the command refuses",
    "503": "Busy: ask again after Retry-After seconds",
}  # fmt: skip


def description() -> dict[str, Any]:
    """The OpenAPI 3.1 document; the shapes of the answers are those of the commands with ``--json``."""
    return {
        "openapi": "3.1.0",
        "info": {"title": "thunderref", "version": "1", "description": "The documents of the commands with --json."},
        "paths": {f"/api/{name}": _path(name, parameters) for name, parameters in PARAMETERS.items()},
        "components": {
            "schemas": {
                "Error": {
                    "type": "object", "required": ["error"], "properties": {"error": {
                        "type": "object", "required": ["code", "message", "candidates"], "properties": {
                            "code": {"type": "string"}, "message": {"type": "string"},
                            "candidates": {"type": "array", "items": {"type": "string"}},
                        },
                    }},
                },
            },
        },
    }  # fmt: skip


def _path(name: str, parameters: tuple[Parameter, ...]) -> dict[str, Any]:
    lang = {"name": "lang", "in": "query", "schema": {"type": "string", "enum": [*LANGUAGES]}}
    any_card = {"name": "any", "in": "query", "schema": _SCHEMAS["flag"]}
    asked = [{"name": each.name, "in": "query", "schema": _SCHEMAS[each.kind]} for each in parameters]
    body = {"required": True, "content": {"application/json": {"schema": {"type": "object"}}}}
    return {
        "get": {"summary": _ABOUT[name], "operationId": name, "parameters": [*asked, lang, any_card],
            "responses": _responses()},
        "post": {
            "summary": f"{_ABOUT[name]}: the document of the command", "operationId": f"{name}-document",
            "parameters": [lang, any_card], "requestBody": body, "responses": _responses(),
        },
    }  # fmt: skip


def _responses() -> dict[str, Any]:
    error = {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}}
    answer = {"application/json": {"schema": {"type": "object"}}}
    refused = {status: {"description": text, "content": error} for status, text in _STATUSES.items()}
    return {"200": {"description": "The document of the command", "content": answer}, **refused}
