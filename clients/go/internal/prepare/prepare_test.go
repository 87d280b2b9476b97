package main

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"
)

const small = `{
  "openapi": "3.1.0", "info": {"title": "t", "version": "1"},
  "paths": {
    "/things": {
      "get": {"operationId": "listThings", "parameters": [
          {"in": "query", "name": "cursor", "schema": {"type": "string", "maxLength": 9}},
          {"in": "query", "name": "limit", "schema": {"type": "integer"}},
          {"in": "header", "name": "If-None-Match", "schema": {"type": "string"}}],
        "responses": {"200": {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/ThingList"}}, "text/csv": {}}},
          "400": {"content": {"application/problem+json": {}}}}},
      "post": {"operationId": "makeThing", "parameters": [{"in": "header", "name": "Idempotency-Key", "schema": {"type": "string"}}],
        "requestBody": {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/Thing"}}}},
        "responses": {"201": {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/Thing"}}}}}},
      "patch": {"operationId": "changeThing",
        "requestBody": {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/Change"}}}},
        "responses": {"204": {}}}
    },
    "/file": {"post": {"operationId": "putFile", "requestBody": {"content": {"application/json": {}, "multipart/form-data": {}}},
      "responses": {"200": {"content": {"application/pdf": {}}}}}},
    "/events/stream": {"get": {"operationId": "streamEvents", "responses": {}}}
  },
  "components": {"schemas": {
    "Decimal": {"type": "string", "pattern": "x"},
    "Thing": {"type": "object", "required": ["_id", "price", "note", "at"], "properties": {
      "_id": {"type": "string"},
      "price": {"$ref": "#/components/schemas/Decimal", "description": "d", "examples": ["1.00"]},
      "percent": {"type": "number"},
      "note": {"type": ["string", "null"]},
      "at": {"oneOf": [{"type": "null"}, {"type": "string", "format": "date-time"}]},
      "owner": {"description": "who", "oneOf": [{"type": "string"}, {"type": "object", "properties": {"_id": {"type": "string"}}}]},
      "place": {"oneOf": [{"type": "string"}, {"type": "object", "properties": {"a": {"type": "string"}, "b": {"type": "boolean"}}}]},
      "kind": {"type": ["string", "null"], "enum": ["A", null]},
      "on": {"type": "boolean"},
      "any": {"type": "object", "additionalProperties": true}}},
    "Change": {"type": "object", "additionalProperties": false, "properties": {
      "note": {"type": ["string", "null"]},
      "inner": {"$ref": "#/components/schemas/Inner"}}},
    "Inner": {"type": "object", "properties": {"x": {"type": ["string", "null"]}}},
    "ThingList": {"type": "object", "properties": {"nextCursor": {"type": ["string", "null"]},
      "results": {"type": "array", "items": {"$ref": "#/components/schemas/Thing"}}}}
  }}
}`

func prepared(t *testing.T) document {
	t.Helper()

	var d document
	if err := json.Unmarshal([]byte(small), &d); err != nil {
		t.Fatal(err)
	}

	if err := d.prepare(); err != nil {
		t.Fatal(err)
	}

	return d
}

// same compares a value with JSON.
func same(t *testing.T, got any, want string) {
	t.Helper()

	raw, err := json.Marshal(got)
	if err != nil {
		t.Fatal(err)
	}

	if string(raw) != want {
		t.Errorf("got  %s\nwant %s", raw, want)
	}
}

func TestAnOperationKeepsWhatAProgramCalls(t *testing.T) {
	d := prepared(t)

	if len(d.Paths) != 2 {
		t.Errorf("a stream is no call: %v", slices.Sorted(maps.Keys(d.Paths)))
	}

	list := d.Paths["/things"]["get"]
	same(
		t,
		[]any{list["x-item"], list["x-all"], list["x-result"], list["x-keyed"]},
		`["Thing","AllThings","ThingList",true]`,
	)
	same(
		t,
		list["parameters"],
		`[{"in":"query","name":"cursor","schema":{"type":"string","x-go-type-skip-optional-pointer":true}},`+
			`{"in":"query","name":"limit","schema":{"type":"integer","x-go-type-skip-optional-pointer":true}}]`,
	)

	made := d.Paths["/things"]["post"]
	same(t, []any{made["x-body"], made["x-result"], made["x-keyed"]}, `["Thing","Thing",true]`)

	change := d.Paths["/things"]["patch"]
	same(t, []any{change["x-body"], change["x-result"], change["x-keyed"]}, `["Change",null,null]`)

	file := d.Paths["/file"]["post"]
	same(t, []any{file["x-file"], file["x-raw"], file["requestBody"]}, `[true,true,null]`)
}

func TestASchemaBecomesOneOfTheOlderVersion(t *testing.T) {
	d := prepared(t)
	properties := d.Components.Schemas["Thing"]["properties"].(object)

	same(t, d.Components.Schemas["Thing"]["required"], `["_id","price"]`)

	for name, want := range map[string]string{
		"_id":     `{"type":"string","x-go-name":"ID"}`,
		"price":   `{"description":"d","type":"string","x-go-type":"Decimal"}`,
		"percent": `{"type":"number","x-go-type":"json.Number"}`,
		"note":    `{"type":"string","x-go-type-skip-optional-pointer":true}`,
		"at":      `{"format":"date-time","type":"string"}`,
		"owner":   `{"description":"who","type":"string","x-go-type-skip-optional-pointer":true}`,
		"kind":    `{"enum":["A"],"type":"string","x-go-type-skip-optional-pointer":true}`,
		"place": `{"properties":{"a":{"type":"string","x-go-type-skip-optional-pointer":true},"b":{"type":"boolean"}},` +
			`"type":"object"}`,
		"on":  `{"type":"boolean"}`,
		"any": `{"type":"object","x-go-type":"json.RawMessage","x-go-type-skip-optional-pointer":true}`,
	} {
		same(t, properties[name], want)
	}
}

// A PATCH keeps the difference between null and absent, also in what is within it.
func TestAPatchKeepsNull(t *testing.T) {
	d := prepared(t)
	same(t, d.Components.Schemas["Change"]["properties"].(object)["note"], `{"nullable":true,"type":"string"}`)
	same(t, d.Components.Schemas["Inner"]["properties"].(object)["x"], `{"nullable":true,"type":"string"}`)
}

func TestABodyMustHaveAName(t *testing.T) {
	var d document

	raw := strings.Replace(small, `{"$ref": "#/components/schemas/Change"}`, `{"type": "object"}`, 1)
	if err := json.Unmarshal([]byte(raw), &d); err != nil {
		t.Fatal(err)
	}

	if err := d.prepare(); err == nil || !strings.Contains(err.Error(), "changeThing") {
		t.Error(err)
	}
}
