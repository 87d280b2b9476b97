// Compiles the router, the test tokens and the yardsticks into JSON artefacts: abi, creation code, deployed code,
// nothing that depends on the machine or the day. The same sources and the same locked compiler give the same bytes.
//
//   node build.mjs [folder]      the folder defaults to the committed artefacts of the Go package
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { compile, here, routerGroup, testGroup, yardstickGroup } from "./compile.mjs";

const out = resolve(process.argv[2] ?? join(here, "../internal/rails/chain/contract/artifacts"));
const artefacts = [...compile(routerGroup), ...compile(testGroup), ...compile(yardstickGroup)];
rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });
for (const a of artefacts) {
  writeFileSync(join(out, a.contractName + ".json"), JSON.stringify(a, null, 2) + "\n");
}
process.stdout.write(`${artefacts.length} contracts compiled\n`);
