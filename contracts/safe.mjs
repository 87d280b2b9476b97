// Takes the creation code of Safe accounts, as published, out of their npm packages. The packages are fixed by their
// digests, and nothing of them is run or changed. The result is committed; a second call changes nothing.
//
//   node safe.mjs [folder]      the folder defaults to the one that the Go package embeds
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const out = resolve(process.argv[2] ?? join(here, "../internal/rails/chain/safecode/artifacts"));

const later = "build/artifacts/contracts/";

// What 1.4.1 and every later version has, by the same names.
const files = {
  Safe: later + "Safe.sol/Safe.json",
  SafeL2: later + "SafeL2.sol/SafeL2.json",
  Proxy: later + "proxies/SafeProxy.sol/SafeProxy.json",
  ProxyFactory: later + "proxies/SafeProxyFactory.sol/SafeProxyFactory.json",
  FallbackHandler: later + "handler/CompatibilityFallbackHandler.sol/CompatibilityFallbackHandler.json",
  MultiSend: later + "libraries/MultiSend.sol/MultiSend.json",
  MultiSendCallOnly: later + "libraries/MultiSendCallOnly.sol/MultiSendCallOnly.json",
  SignMessageLib: later + "libraries/SignMessageLib.sol/SignMessageLib.json",
};
const packages = [
  {
    package: "@gnosis.pm/safe-contracts",
    version: "1.1.1",
    license: "LGPL-3.0-only",
    sha512: "NT+7JtNym5I6wEKVuhEZ+Ush9ZTtJfLEeQ7SwQTKGgjG9Ww3uMVOPMlufifOyhZyDX/Aakxj0jEKwkuqONHAxA==",
    files: {
      Safe: "build/contracts/GnosisSafe.json",
      Proxy: "build/contracts/Proxy.json",
      ProxyFactory: "build/contracts/ProxyFactory.json",
    },
  },
  {
    package: "@gnosis.pm/safe-contracts",
    version: "1.3.0",
    license: "LGPL-3.0-only",
    sha512: "1p+1HwGvxGUVzVkFjNzglwHrLNA67U/axP0Ct85FzzH8yhGJb4t9jDjPYocVMzLorDoWAfKicGy1akPY9jXRVw==",
    files: {
      Safe: later + "GnosisSafe.sol/GnosisSafe.json",
      SafeL2: later + "GnosisSafeL2.sol/GnosisSafeL2.json",
      Proxy: later + "proxies/GnosisSafeProxy.sol/GnosisSafeProxy.json",
      ProxyFactory: later + "proxies/GnosisSafeProxyFactory.sol/GnosisSafeProxyFactory.json",
      FallbackHandler: later + "handler/CompatibilityFallbackHandler.sol/CompatibilityFallbackHandler.json",
      MultiSend: later + "libraries/MultiSend.sol/MultiSend.json",
      MultiSendCallOnly: later + "libraries/MultiSendCallOnly.sol/MultiSendCallOnly.json",
    },
  },
  {
    package: "@safe-global/safe-contracts",
    version: "1.4.1",
    license: "LGPL-3.0-only",
    sha512: "fP1jewywSwsIniM04NsqPyVRFKPMAuirC3ftA/TA4X3Zc5EnwQp/UCJUU2PL/37/z/jMo8UUaJ+pnFNWmMU7dQ==",
    files: {
      ...files,
      DelegateCallGuard: later + "examples/guards/DelegateCallTransactionGuard.sol/DelegateCallTransactionGuard.json",
    },
  },
  {
    package: "@safe-global/safe-smart-account",
    version: "1.5.0",
    license: "LGPL-3.0-only",
    sha512: "VIMWxoeY/kNuZVsQVvAeOFKcQS3eojCXg0ecGnesBSLn5ypYshmBhVEEU5XiurJJGTs/MrcoLTbTxhs9W9GvdQ==",
    files,
  },
];

const factory = {
  package: "@safe-global/safe-singleton-factory",
  version: "2.0.0",
  license: "MIT",
  sha512: "cWkdWHLCB6bfF86Y0cyesS7nunWZGhY8ZuDIxrL+Ra03wE8j1EWnLW0xc3tXh4+JBoPOE2r1ALwc//BM/bTvrA==",
};

// Unpacks a package whose digest is the expected one, and returns its folder.
function unpack({ package: name, version, sha512 }, into) {
  const file = execFileSync("npm", ["pack", "--silent", `${name}@${version}`], { cwd: into, encoding: "utf8" }).trim();
  const digest = createHash("sha512").update(readFileSync(join(into, file))).digest("base64");
  if (digest !== sha512) throw new Error(`${name}@${version} has the digest ${digest}`);
  const folder = join(into, "x-" + file);
  mkdirSync(folder);
  execFileSync("tar", ["xzf", join(into, file), "-C", folder]);
  return join(folder, "package");
}

const read = (file) => JSON.parse(readFileSync(file, "utf8"));
const write = (name, value) => writeFileSync(join(out, name), JSON.stringify(value, null, 2) + "\n");

const work = mkdtempSync(join(tmpdir(), "safe-"));
try {
  rmSync(out, { recursive: true, force: true });
  mkdirSync(out, { recursive: true });
  for (const p of packages) {
    const folder = unpack(p, work);
    const code = Object.fromEntries(Object.entries(p.files).map(([name, file]) => [name, read(join(folder, file)).bytecode]));
    write(`safe-${p.version}.json`, { package: p.package, version: p.version, license: p.license, code });
  }
  const folder = unpack(factory, work);
  const { signerAddress, transaction, address } = read(join(folder, "artifacts/31337/deployment.json"));
  write("singleton-factory.json", {
    package: factory.package,
    version: factory.version,
    license: factory.license,
    chainId: 31337,
    signerAddress,
    transaction,
    address,
  });
} finally {
  rmSync(work, { recursive: true, force: true });
}
