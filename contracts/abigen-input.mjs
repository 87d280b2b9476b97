// Prints the named artefacts as the combined JSON that abigen reads: node abigen-input.mjs folder Name...
import { readFileSync } from "node:fs";
import { join } from "node:path";

const [folder, ...names] = process.argv.slice(2);
const contracts = {};
for (const name of names) {
  const a = JSON.parse(readFileSync(join(folder, name + ".json"), "utf8"));
  contracts[`${a.source}:${name}`] = {
    abi: a.abi,
    bin: a.bytecode.slice(2),
    "bin-runtime": a.deployedBytecode.slice(2),
    hashes: a.selectors,
    devdoc: "{}",
    userdoc: "{}",
    metadata: "{}",
    srcmap: "",
    "srcmap-runtime": "",
  };
}
process.stdout.write(JSON.stringify({ contracts, version: "solc" }));
