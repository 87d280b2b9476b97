// Breaks each defence of the router once and shows that the tests see it. Every mutant must be killed.
//
//   node mutate.mjs [part of a mutant's name | first-last]    takes some ten seconds a mutant, so it is no part of the usual checks
//
// audit/README.md has what the last run of all of them has said.
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { compile, here, routerGroup } from "./compile.mjs";

// Name, text in the source (once: a Go test looks), what stands there instead.
const mutants = JSON.parse(readFileSync(join(here, "mutants.json"), "utf8"));

const source = readFileSync(join(here, "src/SlipwayRouter.sol"), "utf8");
const range = /^(\d+)-(\d+)$/.exec(process.argv[2] ?? "");
const chosen = range
  ? mutants.slice(Number(range[1]) - 1, Number(range[2]))
  : mutants.filter(([name]) => name.includes(process.argv[2] ?? ""));
const folder = mkdtempSync(join(tmpdir(), "mutants-"));
const tests = join(folder, "contract.test");
const pkg = join(here, "../internal/rails/chain/contract");
execFileSync("go", ["test", "-c", "-o", tests, "."], { cwd: pkg, stdio: "inherit" });

// The figures, the artefacts and the counted op-codes are left out: they would kill a mutant for being different, not for being wrong.
const figures = "Gas(Table|Rules)|Artefacts|Bindings|RouterCode";
const steps = ["TestStolen|" + figures, figures];
let alive = 0;
for (const [name, from, to] of chosen) {
  if (source.split(from).length !== 2) throw new Error(`${name}: the text stands ${source.split(from).length - 1} times`);
  const [artefact] = compile(routerGroup, { "src/SlipwayRouter.sol": source.replace(from, to) });
  const file = join(folder, "mutant.json");
  writeFileSync(file, JSON.stringify(artefact));
  const killer = steps.map((skip) => firstFailure(skip, file)).find((k) => k);
  if (!killer) alive++;
  process.stdout.write(`${killer ? "killed" : "ALIVE "}  ${name}${killer ? "  by " + killer : ""}\n`);
}
rmSync(folder, { recursive: true });
process.stdout.write(`${chosen.length - alive} of ${chosen.length} mutants killed, of ${mutants.length} in all\n`);
process.exit(alive === 0 ? 0 : 1);

function firstFailure(skip, file) {
  const run = spawnSync(tests, ["-test.failfast", "-test.skip", skip, "-rapid.nofailfile"], {
    cwd: pkg,
    env: { ...process.env, SLIPWAY_TEST_ROUTER_ARTEFACT: file },
    encoding: "utf8",
  });
  return run.status === 0 ? "" : (run.stdout.match(/--- FAIL: (\S+)/)?.[1] ?? "a crash");
}
