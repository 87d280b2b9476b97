// The compiler's settings and the shape of an artefact, in one place: build.mjs writes artefacts, mutate.mjs breaks them.
import { createRequire } from "node:module";
import { readFileSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export const here = dirname(fileURLToPath(import.meta.url));
const require = createRequire(import.meta.url);
const solc = require("solc");

const wantedCompiler = "0.8.37+";
if (!solc.version().startsWith(wantedCompiler)) {
  throw new Error(`solc ${wantedCompiler} is wanted, ${solc.version()} is installed`);
}

// The router is compiled for cheap calls. The tokens are compiled as tokens usually are, so that gas figures on them
// compare with published ones: a bare transferFrom costs 37 104 or 54 206 gas.
export const routerGroup = { files: ["src/SlipwayRouter.sol"], viaIR: true, runs: 1_000_000 };
export const testGroup = {
  files: readdirSync(join(here, "src/test")).sort().map((f) => "src/test/" + f),
  viaIR: false,
  runs: 1_000_000,
};

// What the router is measured beside is compiled as the router is, so that the compiler favours neither.
export const yardstickGroup = {
  ...routerGroup,
  files: readdirSync(join(here, "src/yardstick")).sort().map((f) => "src/yardstick/" + f),
};

function findImport(path) {
  try {
    return { contents: readFileSync(path.startsWith("@") ? join(here, "node_modules", path) : join(here, path), "utf8") };
  } catch {
    return { error: `${path} is not there; run contracts/install first` };
  }
}

// Compiles a group; a warning is a failure too. `changed` replaces the text of some files, whose warnings are let pass.
export function compile({ files, viaIR, runs }, changed = {}) {
  const input = {
    language: "Solidity",
    sources: Object.fromEntries(files.map((f) => [f, { content: changed[f] ?? readFileSync(join(here, f), "utf8") }])),
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
  const strict = Object.keys(changed).length === 0;
  const problems = (output.errors ?? []).filter((p) => p.errorCode !== "2394" && (strict || p.severity === "error"));
  if (problems.length > 0) throw new Error(problems.map((p) => p.formattedMessage).join("\n"));
  return files
    .flatMap((f) => Object.entries(output.contracts[f]).map(([name, c]) => artefact(name, f, c)))
    .filter((a) => a.bytecode !== "0x"); // interfaces have no code
}

function artefact(name, file, c) {
  return {
    contractName: name,
    source: "contracts/" + file,
    compiler: solc.version(),
    abi: c.abi,
    selectors: c.evm.methodIdentifiers,
    bytecode: "0x" + c.evm.bytecode.object,
    deployedBytecode: "0x" + c.evm.deployedBytecode.object,
  };
}
