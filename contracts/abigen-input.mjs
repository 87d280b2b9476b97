// Prints the named artefacts as the combined JSON that abigen reads: node abigen-input.mjs folder Name...
// As=Name:function,... is these functions of an artefact alone, without code, under another name.
import { readFileSync } from "node:fs";
import { join } from "node:path";

const [folder, ...names] = process.argv.slice(2);
const contracts = {};
for (const wanted of names) {
  const [, as, name, only] = wanted.match(/^(?:(\w+)=)?(\w+)(?::(.*))?$/);
  const a = JSON.parse(readFileSync(join(folder, name + ".json"), "utf8"));
  if (only) {
    a.abi = a.abi.filter((f) => f.type === "function" && only.split(",").includes(f.name));
    a.bytecode = a.deployedBytecode = "0x";
  }
  contracts[`${a.source}:${as ?? name}`] = {
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
