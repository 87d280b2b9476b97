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

// Name, text in the source (once), what stands there instead.
const mutants = [
  ["anybody may pay", "if (gate != uint160(msg.sender)) {", "if (gate > type(uint256).max - 1) {"],
  ["a pause stops nothing", "if (gate != uint160(msg.sender)) {", "if (address(uint160(gate)) != msg.sender) {"],
  ["anybody may pay with an intent", "        _onlyOperator();\n        _inTime(deadline);\n        uint256 policy = _policies[payer];\n        _begin(payer, token, batchNumber, packedLegs, policy);\n        _checkIntent", "        _inTime(deadline);\n        uint256 policy = _policies[payer];\n        _begin(payer, token, batchNumber, packedLegs, policy);\n        _checkIntent"],
  ["anybody may pay with a permit", "        _onlyOperator();\n        _inTime(deadline);\n        uint256 policy = intent.length", "        _inTime(deadline);\n        uint256 policy = intent.length"],
  ["anybody may pull", "        _onlyOperator();\n        uint256 policy = _unsigned(payer);\n        _begin(payer, token, batchNumber, packedLegs, policy);\n        uint256 before", "        uint256 policy = _unsigned(payer);\n        _begin(payer, token, batchNumber, packedLegs, policy);\n        uint256 before"],
  ["a permit opens who requires intents", "intent.length == 0 ? _unsigned(payer) : _policies[payer]", "_policies[payer]"],
  ["an intent beside a permit is not looked at", "if (intent.length != 0) _checkIntent(", "if (false) _checkIntent("],
  ["a refused permit is enough", "if (!ok && IERC20(token).allowance(payer, address(this)) < sum) revert", "if (false) revert"],
  ["only permits of our own are enough", "if (!ok && IERC20(token).allowance(payer, address(this)) < sum) revert", "if (!ok) revert"],
  ["an authorization names nobody", "bytes32 nonce = intentDigest(payer, token, batchNumber, packedLegs, deadline);", "bytes32 nonce = bytes32(batchNumber);"],
  ["a refused authorization is enough", "if (!ok) revert AuthorizationRefused", "if (false) revert AuthorizationRefused"],
  ["a Permit2 transfer names nobody", "            _hashIntent(payer, token, batchNumber, packedLegs, deadline),\n            WITNESS_TYPE", "            bytes32(0),\n            WITNESS_TYPE"],
  ["what arrives is not compared", "if (arrived != sum) revert", "if (false) revert"],
  ["what is left is kept", "        if (left != 0) {\n", "        if (false) {\n"],
  ["what is left is given back once more", "abi.encodeCall(IERC20.transfer, (payer, left))", "abi.encodeCall(IERC20.transfer, (payer, left - 1))"],
  ["given back does not free the cap", "_caps[payer][token].spent -= uint104(left);", "_caps[payer][token].spent -= 0;"],
  ["a false answer to a pull is enough", "if (answer.length != 0 && (answer.length < 32", "if (false && (answer.length < 32"],
  ["a false answer passes a leg on", "paid := and(ok, or(eq(mload(0x00), 1), iszero(returndatasize())))", "paid := ok"],
  ["a revert passes a leg on", "if and(and(ok, eq(mload(0x00), 1)), lt(eq(mload(0x20)", "if and(eq(mload(0x00), 1), lt(eq(mload(0x20)"],
  ["a leg passed on may burn all gas", "call(stipend, token, 0, 0x1c, 0x44", "call(gas(), token, 0, 0x1c, 0x44"],
  ["the router may be passed on to", "if (payee == address(this)) revert PayeeIsRouter();", ""],
  ["short gas fails a leg passed on", "if (gasleft() < stipend * 64 / 63 + 1000) revert", "if (false) revert"],
  ["own batches work twice", "_useNumber(_ownExecuted[msg.sender][batchNumber >> 8], batchNumber);", ""],
  ["own batches share numbers", "_useNumber(_ownExecuted[msg.sender][batchNumber >> 8], batchNumber);", "_useNumber(_ownExecuted[address(0)][batchNumber >> 8], batchNumber);"],
  ["own batches take the operator's numbers", "_useNumber(_ownExecuted[msg.sender][batchNumber >> 8], batchNumber);", "_useNumber(_executed[batchNumber >> 8], batchNumber);"],
  ["a payer repeats what the operator paid", "if (executed(batchNumber)) revert", "if (false) revert"],
  ["the operator repeats what a payer paid", "if (policy & POLICY_OWN != 0 && ownExecuted(payer, batchNumber)) revert", "if (false) revert"],
  ["paying oneself leaves no trace", "if (policy & POLICY_OWN == 0) _policies[msg.sender] = policy | POLICY_OWN;", ""],
  ["paying oneself drops the policy", "_policies[msg.sender] = policy | POLICY_OWN;", "_policies[msg.sender] = POLICY_OWN;"],
  ["a pause does not stop payers", "if (_gate & PAUSED != 0) revert RouterPaused();", ""],
  ["own batches never expire", "if (_gate & PAUSED != 0) revert RouterPaused();\n        _inTime(deadline);", "if (_gate & PAUSED != 0) revert RouterPaused();"],
  ["an own batch hides its legs", "failed, keccak256(packedLegs));", "failed, bytes32(0));"],
  ["no guard in payOwn", "bytes calldata packedLegs, uint256 deadline)\n        external\n        nonReentrant", "bytes calldata packedLegs, uint256 deadline)\n        external"],
  ["no guard in payByPull", "bytes calldata packedLegs)\n        external\n        nonReentrant", "bytes calldata packedLegs)\n        external"],
  ["reuse is allowed", "if (bits & bit != 0) revert", "if (false) revert"],
  ["number is not stored", "word.bits = bits | bit;", "word.bits = bits;"],
  ["word forgets earlier numbers", "word.bits = bits | bit;", "word.bits = bit;"],
  ["only 255 numbers a word", "uint256 bit = 1 << (number & 255);", "uint256 bit = 1 << (number & 127);"],
  ["words overlap", "_useNumber(_executed[batchNumber >> 8], batchNumber);", "_useNumber(_executed[batchNumber >> 9], batchNumber);"],
  ["the view reads another bit", "return _executed[number >> 8].bits & (1 << (number & 255)) != 0", "return _executed[number >> 8].bits & (1 << (number & 254)) != 0"],
  ["no guard in pay", "bytes calldata packedLegs) external nonReentrant {", "bytes calldata packedLegs) external {"],
  ["no guard in payWithIntent", "bytes calldata signature\n    ) external nonReentrant {\n        _onlyOperator();\n        _inTime(deadline);\n        uint256 policy = _policies[payer];\n        _begin(payer, token, batchNumber, packedLegs, policy);\n        _checkIntent", "bytes calldata signature\n    ) external {\n        _onlyOperator();\n        _inTime(deadline);\n        uint256 policy = _policies[payer];\n        _begin(payer, token, batchNumber, packedLegs, policy);\n        _checkIntent"],
  ["no legs are enough", "if (length == 0 || ", "if ("],
  ["33 legs are allowed", "length > MAX_LEGS * LEG_SIZE", "length > (MAX_LEGS + 1) * LEG_SIZE"],
  ["a broken leg is allowed", " || length % LEG_SIZE != 0", ""],
  ["a token needs no code", "if (token.code.length == 0) revert", "if (false) revert"],
  ["the router may be paid", "if eq(shr(96, calldataload(sub(at, 0x20))), address()) {", "if 0 {"],
  ["the router as payee is not looked for", "lt(eq(mload(0x40), address()), lt(at, end))", "lt(at, end)"],
  ["a false answer is paid", "if and(ok, or(eq(mload(0x00), 1), iszero(returndatasize()))) {", "if ok {"],
  ["two is true", "if and(ok, or(eq(mload(0x00), 1), iszero(returndatasize()))) {", "if and(ok, or(mload(0x00), iszero(returndatasize()))) {"],
  ["a revert is paid", "if and(and(ok, eq(mload(0x00), 1)), lt(eq(mload(0x40)", "if and(eq(mload(0x00), 1), lt(eq(mload(0x40)"],
  ["a revert without data is paid", "if and(ok, or(eq(mload(0x00), 1), iszero(returndatasize()))) {", "if or(and(ok, eq(mload(0x00), 1)), iszero(returndatasize())) {"],
  ["no answer is a failure", "if and(ok, or(eq(mload(0x00), 1), iszero(returndatasize()))) {", "if and(ok, eq(mload(0x00), 1)) {"],
  ["the answer is not read whole", "0x64, 0x00, 0x20)", "0x64, 0x00, 0x1f)"],
  ["a leg may burn all gas", "call(stipend, token, 0, 0x1c, 0x64", "call(gas(), token, 0, 0x1c, 0x64"],
  ["short gas fails a leg", "if lt(gas(), add(div(mul(stipend, 64), 63), 1000)) {", "if 0 {"],
  ["half a leg's gas is enough", "if lt(gas(), add(div(mul(stipend, 64), 63), 1000)) {", "if lt(gas(), div(stipend, 2)) {"],
  ["the whole reason is kept", "                    if gt(size, MAX_REASON) { size := MAX_REASON }\n                    calldatacopy", "                    calldatacopy"],
  ["failed bits are shifted", "shl(index, 1)))", "shl(add(index, 1), 1)))"],
  ["only the last failure counts", "mstore(free, or(mload(free), shl(index, 1)))", "mstore(free, shl(index, 1))"],
  ["the wrong leg is named", "let index := sub(shr(5, sub(at, packedLegs.offset)), 1)", "let index := shr(5, sub(at, packedLegs.offset))"],
  ["a failure ends the batch", "legFailedTopic, batchNumber)\n                if lt(at, end) { continue }", "legFailedTopic, batchNumber)"],
  ["an unanswered leg ends the batch", "                    if lt(at, end) { continue }\n                    break", "                    break"],
  ["amounts are 88 bits", "mstore(0x60, and(calldataload(at), 0xffffffffffffffffffffffff))", "mstore(0x60, and(calldataload(at), 0x00ffffffffffffffffffffff))"],
  ["signatures are not required", "if (policy != 0 && _signedOnly(policy)) revert", "if (false) revert"],
  ["intents never expire", "if (block.timestamp > deadline) revert", "if (false) revert"],
  ["any signature is good", "if (!_signedBy(payer, digest, signature)) revert", "if (false) revert"],
  ["any key may sign", "err == ECDSA.RecoverError.NoError && signer == payer", "err == ECDSA.RecoverError.NoError"],
  ["nobody signs for nobody", "err == ECDSA.RecoverError.NoError && signer == payer", "signer == payer"],
  ["wallets cannot sign", "return payer.code.length != 0", "return false && payer.code.length != 0"],
  ["the payer is not signed", "INTENT_TYPEHASH, payer, token", "INTENT_TYPEHASH, address(0), token"],
  ["the legs are not signed", "batchNumber, _hashLegs(packedLegs), deadline", "batchNumber, bytes32(0), deadline"],
  ["caps hold for nobody", "if (policy & POLICY_CAPS != 0) _spend(", "if (false) _spend("],
  ["caps are not checked", "wanted > left) revert", "false) revert"],
  ["a cap is one too high", "wanted > left) revert", "wanted > left + 1) revert"],
  ["spending is not added up", "uint256 total = spent + wanted;", "uint256 total = wanted;"],
  ["the day never ends", "return cap.day == block.timestamp / 1 days ? cap.spent : 0;", "return cap.spent;"],
  ["the day is not noted", "cap.day = uint40(block.timestamp / 1 days);", ""],
  ["denied legs are given back", "                if iszero(ok) {\n", "                if 1 {\n"],
  ["reverted legs are not given back", "if (policy & POLICY_CAPS != 0 && reverted != 0) _caps", "if (false) _caps"],
  ["raising is immediate", "if (limit > current) {", "if (false) {"],
  ["lowering waits", "if (limit > current) {", "if (limit != current) {"],
  ["a raise holds two minutes early", "block.timestamp >= cap.nextAt ? cap.nextLimit", "block.timestamp + 120 >= cap.nextAt ? cap.nextLimit"],
  ["a lowering keeps the scheduled raise", "            cap.nextLimit = 0;\n            cap.nextAt = 0;\n", ""],
  ["a due raise is forgotten", "        cap.limit = uint104(current);\n", ""],
  ["a cap is cut to its field", "if (limit > NO_CAP) revert", "if (false) revert"],
  ["a cap drops the signature rule", "_policies[msg.sender] |= POLICY_CAPS;", "_policies[msg.sender] = POLICY_CAPS;"],
  ["the signature rule drops the caps", "_policies[msg.sender] = kept | POLICY_SIGNED;", "_policies[msg.sender] = POLICY_SIGNED;"],
  ["ending the signature rule drops the caps", "= kept | POLICY_SIGNED | (from", "= POLICY_SIGNED | (from"],
  ["the signature rule ends at once", "return clearsAt == 0 || block.timestamp < clearsAt;", "return clearsAt == 0;"],
  ["the signature rule never ends", "return clearsAt == 0 || block.timestamp < clearsAt;", "return true;"],
  ["the delay is 47 hours", "LOOSEN_DELAY = 48 hours", "LOOSEN_DELAY = 47 hours"],
  ["anybody may pause", "if (msg.sender != guardian && msg.sender != owner()) revert", "if (false) revert"],
  ["the guardian may not pause", "msg.sender != guardian && msg.sender != owner()", "msg.sender != owner()"],
  ["the owner may not pause", "msg.sender != guardian && msg.sender != owner()", "msg.sender != guardian"],
  ["anybody may unpause", "function unpause() external onlyOwner", "function unpause() external"],
  ["anybody may set the operator", "function setOperator(address operator_) external onlyOwner", "function setOperator(address operator_) external"],
  ["anybody may add operators", "function setFurtherOperator(address operator_, bool allowed) external onlyOwner", "function setFurtherOperator(address operator_, bool allowed) external"],
  ["a further operator stays for ever", "_further[operator_] = allowed;", "_further[operator_] = true;"],
  ["everybody is a further operator", " && !_further[msg.sender]) revert", " && false) revert"],
  ["a pause stops the first operator only", "if (gate & PAUSED != 0) revert RouterPaused();", "if (gate & PAUSED != 0 && !_further[msg.sender]) revert RouterPaused();"],
  ["the zero address is an operator", "return account != address(0) && account", "return account"],
  ["anybody may set the guardian", "function setGuardian(address guardian_) external onlyOwner", "function setGuardian(address guardian_) external"],
  ["a new operator unpauses", "_gate = (_gate & PAUSED) | uint160(operator_);", "_gate = uint160(operator_);"],
  ["ownership can be renounced", "        revert RenounceDisabled();", "        return;"],
  ["anybody may pay with an authorization", "external nonReentrant {\n        _onlyOperator();\n        _inTime(deadline);\n        uint256 policy = _policies[payer];\n        _begin(payer, token, batchNumber, packedLegs, policy);\n        uint256 before = _balance(token);\n        uint256 sum = _sum(packedLegs);\n        bytes32 nonce", "external nonReentrant {\n        _inTime(deadline);\n        uint256 policy = _policies[payer];\n        _begin(payer, token, batchNumber, packedLegs, policy);\n        uint256 before = _balance(token);\n        uint256 sum = _sum(packedLegs);\n        bytes32 nonce"],
  ["anybody may pay with Permit2", "external nonReentrant {\n        _onlyOperator();\n        _inTime(deadline);\n        uint256 policy = _policies[payer];\n        _begin(payer, token, batchNumber, packedLegs, policy);\n        uint256 before = _balance(token);\n        uint256 sum = _sum(packedLegs);\n        IPermit2", "external nonReentrant {\n        _inTime(deadline);\n        uint256 policy = _policies[payer];\n        _begin(payer, token, batchNumber, packedLegs, policy);\n        uint256 before = _balance(token);\n        uint256 sum = _sum(packedLegs);\n        IPermit2"],
  ["permits never expire", "        _inTime(deadline);\n        uint256 policy = intent.length", "        uint256 policy = intent.length"],
  ["no guard in payWithPermit", "bytes calldata intent\n    ) external nonReentrant", "bytes calldata intent\n    ) external"],
  ["no guard in payWithAuthorization", "external nonReentrant {\n        _onlyOperator();\n        _inTime(deadline);\n        uint256 policy = _policies[payer];\n        _begin(payer, token, batchNumber, packedLegs, policy);\n        uint256 before = _balance(token);\n        uint256 sum = _sum(packedLegs);\n        bytes32 nonce", "external {\n        _onlyOperator();\n        _inTime(deadline);\n        uint256 policy = _policies[payer];\n        _begin(payer, token, batchNumber, packedLegs, policy);\n        uint256 before = _balance(token);\n        uint256 sum = _sum(packedLegs);\n        bytes32 nonce"],
  ["no guard in payWithPermit2", "external nonReentrant {\n        _onlyOperator();\n        _inTime(deadline);\n        uint256 policy = _policies[payer];\n        _begin(payer, token, batchNumber, packedLegs, policy);\n        uint256 before = _balance(token);\n        uint256 sum = _sum(packedLegs);\n        IPermit2", "external {\n        _onlyOperator();\n        _inTime(deadline);\n        uint256 policy = _policies[payer];\n        _begin(payer, token, batchNumber, packedLegs, policy);\n        uint256 before = _balance(token);\n        uint256 sum = _sum(packedLegs);\n        IPermit2"],
  ["own batches may have any legs", "        _checkLegs(packedLegs, token);\n        if (executed", "        if (executed"],
  ["a refused pull is enough", "        if (!ok) {\n            assembly", "        if (false) {\n            assembly"],
  ["what was given back is not compared", "if (_balance(token) != before) revert GiveBackRefused", "if (false) revert GiveBackRefused"],
  ["what no payee got is given back in silence", "if (failed == 0) revert NotDelivered(left);", ""],
  ["what the router had before counts as pulled", "uint256 arrived = _balance(token) - before;", "uint256 arrived = _balance(token);"],
  ["what the router had before is given away", "uint256 left = _balance(token) - before;", "uint256 left = _balance(token);"],
  ["a new operator is not told", "        emit FurtherOperatorChanged(operator_, allowed);", ""],
  ["any leg gas is allowed", "if (legGas_ < 100_000 || legGas_ > 1_000_000) revert", "if (false) revert"],
];

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
