// Compiles the router and the test tokens into JSON artefacts: abi, creation code, deployed code, nothing that depends
// on the machine or the day. The same sources and the same locked compiler give the same bytes.
//
//   node build.mjs [folder]      the folder defaults to the committed artefacts of the Go package
import { createRequire } from "node:module";
import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const require = createRequire(import.meta.url);
const solc = require("solc");

const wantedCompiler = "0.8.37+";
const out = resolve(process.argv[2] ?? join(here, "../internal/rails/chain/contract/artifacts"));

// The router is compiled for cheap calls. The tokens are compiled as tokens usually are, so that gas figures on them
// compare with published ones: a bare transferFrom costs 37 104 or 54 206 gas.
const groups = [
  { files: ["src/SlipwayRouter.sol"], viaIR: true, runs: 1_000_000 },
  { files: readdirSync(join(here, "src/test")).sort().map((f) => "src/test/" + f), viaIR: false, runs: 1_000_000 },
];

function findImport(path) {
  try {
    return { contents: readFileSync(path.startsWith("@") ? join(here, "node_modules", path) : join(here, path), "utf8") };
  } catch {
    return { error: `${path} is not there; run contracts/install first` };
  }
}

function compile({ files, viaIR, runs }) {
  const input = {
    language: "Solidity",
    sources: Object.fromEntries(files.map((f) => [f, { content: readFileSync(join(here, f), "utf8") }])),
    settings: {
      // Cancun is the oldest rule set with transient storage: the code runs on every chain that has it.
      evmVersion: "cancun",
      viaIR,
      optimizer: { enabled: true, runs },
      metadata: { bytecodeHash: "none", appendCBOR: false },
      outputSelection: { "*": { "*": ["abi", "evm.bytecode.object", "evm.deployedBytecode.object", "evm.methodIdentifiers"] } },
    },
  };
  const output = JSON.parse(solc.compile(JSON.stringify(input), { import: findImport }));
  // 2394 reminds of transient storage's lifetime; the one use is a guard that is cleared when the call ends.
  const problems = (output.errors ?? []).filter((p) => p.errorCode !== "2394");
  for (const p of problems) process.stderr.write(p.formattedMessage + "\n");
  if (problems.length > 0) process.exit(1); // a warning is a failure too
  return files.flatMap((f) => Object.entries(output.contracts[f]).map(([name, c]) => ({ name, file: f, c })));
}

if (!solc.version().startsWith(wantedCompiler)) {
  process.stderr.write(`solc ${wantedCompiler} is wanted, ${solc.version()} is installed\n`);
  process.exit(1);
}
const contracts = groups.flatMap(compile).filter(({ c }) => c.evm.bytecode.object !== "");
rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });
for (const { name, file, c } of contracts) {
  const artefact = {
    contractName: name,
    source: "contracts/" + file,
    compiler: solc.version(),
    abi: c.abi,
    selectors: c.evm.methodIdentifiers,
    bytecode: "0x" + c.evm.bytecode.object,
    deployedBytecode: "0x" + c.evm.deployedBytecode.object,
  };
  writeFileSync(join(out, name + ".json"), JSON.stringify(artefact, null, 2) + "\n");
}
process.stdout.write(`${contracts.length} contracts compiled\n`);
