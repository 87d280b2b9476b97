// Writes src/api/schema.d.ts from docs/openapi.json. It leaves out descriptions, examples, answers of errors and files beside
// JSON: every error is a problem document, and what a field means stands in the document itself.
import { readFileSync, writeFileSync } from "node:fs";
import openapiTS, { astToString } from "openapi-typescript";

const here = import.meta.dirname;
const document = JSON.parse(readFileSync(`${here}/../../docs/openapi.json`, "utf8"));

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

/** main returns the JSON of an answer that may also be a table or a PDF. */
function main(content) {
  const json = content?.["application/json"];

  return json ? { "application/json": json } : content;
}

for (const operations of Object.values(document.paths)) {
  for (const operation of Object.values(operations)) {
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
writeFileSync(`${here}/../src/api/schema.d.ts`, `// Generated from docs/openapi.json by tools/types.mjs.\n${types}`);
