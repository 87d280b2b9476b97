#!/usr/bin/env node
// Stands in for the native compiler that Foundry calls: the same locked compiler that builds the router, in its
// JavaScript form. Foundry asks for two things: the version, and a compilation whose sources are all in the input.
import { createRequire } from "node:module";
import { readFileSync } from "node:fs";

const solc = createRequire(new URL("../package.json", import.meta.url))("solc");

if (process.argv.includes("--version")) {
  const version = solc.version().replace(/\.Emscripten.*/, "");
  process.stdout.write(`solc, the solidity compiler commandline interface\nVersion: ${version}.Linux.g++\n`);
} else {
  process.stdout.write(solc.compile(readFileSync(0, "utf8")));
}
