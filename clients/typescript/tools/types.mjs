// Writes schema.d.ts and keyed.ts from docs/openapi.json into a folder: the types, and which operations take an
// Idempotency-Key. The types leave out descriptions, examples, answers of errors and files beside JSON: every error is a
// problem document, and what a field means stands in the document itself.
import { readFileSync, writeFileSync } from "node:fs";
import openapiTS, { astToString } from "openapi-typescript";

const to = process.argv[2];
const document = JSON.parse(readFileSync(`${import.meta.dirname}/../../../docs/openapi.json`, "utf8"));

/**
 * bare removes what does not change a type. A property that is called "description" is kept. A list without entries is
 * [] and never null, whatever the document allows.
 */
function bare(node, names = false) {
  if (Array.isArray(node)) return node.forEach((item) => bare(item));
  if (!node || typeof node !== "object") return;

  if (!names && Array.isArray(node.type) && node.type.includes("array")) node.type = "array";

  for (const [key, value] of Object.entries(node)) {
    if (!names && ["description", "example", "examples", "title", "summary", "default", "format"].includes(key)) {
      delete node[key];
    } else {
      bare(value, key === "properties");
    }
  }
}

/** keyed has the operations that take an Idempotency-Key, as "POST /transactions". */
const keyed = [];

/** main returns the JSON of an answer that may also be a table or a PDF. */
function main(content) {
  const json = content?.["application/json"];

  return json ? { "application/json": json } : content;
}

for (const [path, operations] of Object.entries(document.paths)) {
  for (const [method, operation] of Object.entries(operations)) {
    if (operation.parameters?.some((parameter) => parameter.name === "Idempotency-Key")) {
      keyed.push(`${method.toUpperCase()} ${path}`);
    }

    operation.responses = Object.fromEntries(
      Object.entries(operation.responses)
        .filter(([status]) => status.startsWith("2"))
        .map(([status, answer]) => [status, { ...answer, headers: undefined, content: main(answer.content) }]),
    );
    operation.parameters = operation.parameters?.filter((parameter) => parameter.in !== "header");
    delete operation.tags;
  }
}

document.components.schemas.Problem.properties.code = { type: "string" };
bare(document.paths);
bare(document.components);

const types = astToString(await openapiTS(document, { alphabetize: true, emptyObjectsUnknown: true }));
const head = "// Generated from docs/openapi.json by tools/types.mjs.\n";
const lines = keyed.sort().map((operation) => `  "${operation}",\n`);
writeFileSync(`${to}/schema.d.ts`, head + types);
writeFileSync(`${to}/keyed.ts`, `${head}export const keyed: ReadonlySet<string> = new Set([\n${lines.join("")}]);\n`);
