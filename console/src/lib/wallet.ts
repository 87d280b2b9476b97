// The browser's wallets: EIP-6963 finds them, EIP-1193 talks to them. What a wallet is asked to sign is decoded here and held
// against what the service said, because people cannot read call data.
import type { Schemas } from "./api.svelte";
import { tell } from "./told.svelte";

/** Provider is an EIP-1193 provider. */
export interface Provider {
  request(call: { method: string; params?: unknown[] }): Promise<unknown>;
}

/** Wallet is a provider that announced itself (EIP-6963). */
export interface Wallet {
  info: { uuid: string; name: string; icon: string; rdns: string };
  provider: Provider;
}

const unknownChain = 4902;
const approveSelector = "095ea7b3"; // approve(address,uint256)

/** announced calls back with each wallet that announces itself, now or later. It returns what ends that. */
export function announced(found: (wallet: Wallet) => void): () => void {
  const listen = (event: Event) => {
    const wallet = (event as CustomEvent<Wallet>).detail;
    if (wallet?.info?.uuid && typeof wallet.provider?.request === "function") found(wallet);
  };

  addEventListener("eip6963:announceProvider", listen);
  dispatchEvent(new Event("eip6963:requestProvider"));

  return () => removeEventListener("eip6963:announceProvider", listen);
}

/** injected returns the provider of an old wallet. It is used only where none announced itself. */
export function injected(): Wallet | undefined {
  const provider = (window as { ethereum?: Provider }).ethereum;

  return provider && { info: { uuid: "injected", name: "Browser wallet", icon: "", rdns: "" }, provider };
}

/** accounts asks the wallet which addresses it shows; the first time it asks its user. */
export async function accounts(provider: Provider): Promise<string[]> {
  return (await provider.request({ method: "eth_requestAccounts" })) as string[];
}

/** Call is what a wallet is asked to send. */
export type Call = Schemas["TransactionApprovalCall"];

/** Approval is an approve call as the console reads it itself. */
export interface Approval {
  token: string;
  spender: string;
  units: bigint;
}

/** decoded returns what an approve call does, or undefined if the data are anything else. */
export function decoded(call: { to: string; data: string; value: string }): Approval | undefined {
  const parts = /^0x095ea7b3(0{24}[0-9a-f]{40})([0-9a-f]{64})$/i.exec(call.data);
  if (!parts?.[1] || !parts[2] || !call.data.toLowerCase().startsWith(`0x${approveSelector}`)) return undefined;
  if (BigInt(call.value || "0") !== 0n) return undefined;

  return { token: call.to, spender: `0x${parts[1].slice(24)}`, units: BigInt(`0x${parts[2]}`) };
}

/**
 * differs returns why a call is not what check-allowance described, or "". Spender, token and amount must be equal, in base
 * units, and the amount at most what is needed with its headroom; without that there is no button.
 */
export function differs(call: Call, check: Schemas["TransactionAllowance"], decimals: number): string {
  const approval = decoded(call);
  const same = (a: string, b: string) => a.toLowerCase() === b.toLowerCase();
  const wanted = call.purpose === "RESET_TO_ZERO" ? 0n : unitsOf(call.amount, decimals);

  if (!approval) return "This call is not an approval that the console can read.";
  if (!same(approval.token, check.tokenAddress)) return `It would approve another token: ${approval.token}.`;
  if (!same(approval.spender, check.spender)) return `It would approve another spender: ${approval.spender}.`;
  if (approval.units !== wanted) return `It would approve another amount: ${approval.units} base units.`;
  if (wanted > most(check, decimals)) return `It would approve more than is needed: ${call.amount} ${check.token}.`;

  return "";
}

const noCap = (1n << 104n) - 1n;

/**
 * limitSet returns what a call of the router sets for its sender: whether batches need a signature, or a token's daily cap in
 * base units (undefined for none). It returns undefined for any other call.
 */
export function limitSet(call: {
  data: string;
  value: string;
}): { signed: boolean } | { token: string; units: bigint | undefined } | undefined {
  const signed = /^0x5e9787150{63}([01])$/i.exec(call.data);
  const cap = /^0xda09a3310{24}([0-9a-f]{40})([0-9a-f]{64})$/i.exec(call.data);
  if (BigInt(call.value || "0") !== 0n) return undefined;
  if (signed) return { signed: signed[1] === "1" };
  if (!cap?.[1] || !cap[2]) return undefined;
  const units = BigInt(`0x${cap[2]}`);

  return { token: `0x${cap[1]}`, units: units === noCap ? undefined : units };
}

// most is what a call may approve: what is needed, and the headroom's percent of it, rounded up.
function most(check: Schemas["TransactionAllowance"], decimals: number): bigint {
  const places = 6;
  const percent = unitsOf(check.headroomPercent, places);
  const whole = 100n * 10n ** BigInt(places);

  return (unitsOf(check.required, decimals) * (whole + percent) + whole - 1n) / whole;
}

/** unitsOf returns an amount in base units, or -1 where it has more decimals than there are. */
export function unitsOf(amount: string, decimals: number): bigint {
  const [whole = "0", fraction = ""] = amount.split(".");
  if (fraction.replace(/0+$/, "").length > decimals) return -1n;

  return BigInt(whole + fraction.slice(0, decimals).padEnd(decimals, "0"));
}

/** onChain switches the wallet to a network, which it learns from the directory's record if it does not know it. */
async function onChain(provider: Provider, network: Schemas["NetworkView"]): Promise<void> {
  const chainId = `0x${(network.chainId ?? 0).toString(16)}`;

  try {
    await provider.request({ method: "wallet_switchEthereumChain", params: [{ chainId }] });
  } catch (cause) {
    if ((cause as { code?: number }).code !== unknownChain) throw cause;
    const native = network.nativeCurrency;
    const record = {
      chainId,
      chainName: network.name,
      rpcUrls: network.rpcUrl ? [network.rpcUrl] : [],
      nativeCurrency: { name: native?.name ?? "Ether", symbol: native?.isoCode ?? "ETH", decimals: 18 },
      ...(network.blockExplorerUrl ? { blockExplorerUrls: [network.blockExplorerUrl] } : {}),
    };
    await provider.request({ method: "wallet_addEthereumChain", params: [record] });
  }
}

/**
 * ready returns the first of some owners that the wallet shows, once the wallet is on the network. Chain and accounts are
 * read again directly before what follows, because a wallet may have been switched since the check.
 */
export async function ready(
  provider: Provider,
  network: Schemas["NetworkView"],
  owners: string[],
): Promise<{ from: string; chainId: string }> {
  await accounts(provider);
  await onChain(provider, network);

  const chain = BigInt((await provider.request({ method: "eth_chainId" })) as string);
  const held = (await provider.request({ method: "eth_accounts" })) as string[];
  const from = held.find((a) => owners.some((o) => o.toLowerCase() === a.toLowerCase()));

  if (chain !== BigInt(network.chainId ?? 0)) throw new Error(`The wallet is on another network than ${network.name}.`);
  if (!from) throw new Error(`The wallet does not show the address ${owners.join(" or ")}. Switch to it in the wallet.`);

  return { from, chainId: `0x${chain.toString(16)}` };
}

/** send has the wallet send a call from one of the owners and returns the hash. */
export async function send(
  provider: Provider,
  network: Schemas["NetworkView"],
  owners: string[],
  call: { to: string; data: string },
): Promise<string> {
  const { from, chainId } = await ready(provider, network, owners);
  const transaction = { from, to: call.to, data: call.data, value: "0x0", chainId };

  return (await provider.request({ method: "eth_sendTransaction", params: [transaction] })) as string;
}

/** sign has the wallet sign a message with one address (EIP-191). */
export async function sign(provider: Provider, owner: string, message: string): Promise<string> {
  const held = await accounts(provider);
  const from = held.find((a) => a.toLowerCase() === owner.toLowerCase());
  if (!from) throw new Error(`The wallet does not show the address ${owner}. Switch to it in the wallet.`);

  const bytes = new TextEncoder().encode(message);
  const hex = `0x${[...bytes].map((b) => b.toString(16).padStart(2, "0")).join("")}`;

  return (await provider.request({ method: "personal_sign", params: [hex, from] })) as string;
}

/** refusal returns what a wallet's error means for people. */
export function refusal(cause: unknown): string {
  const code = (cause as { code?: number }).code;
  if (code === 4001) return "You refused in the wallet. Nothing was sent.";
  if (code === -32002) return "The wallet has a question open already. Answer it there.";

  return (cause as Error).message || "The wallet did not do it.";
}

/**
 * untilOnChain waits until the service sees on the chain what a wallet has sent, for a minute and a half at most. The wallet is
 * not believed: the service reads the chain itself. A question that is not answered is asked again.
 */
export async function untilOnChain(seen: () => Promise<boolean>): Promise<void> {
  tell("Waiting for the chain.");

  for (let i = 0; i < 60; i++) {
    await new Promise((wake) => setTimeout(wake, 1500));
    if (await seen().catch(() => false)) return;
  }
}

/** builderFile is a batch for the transaction builder of a Safe. */
export function builderFile(
  calls: { to: string; data: string }[],
  chainId: number | null | undefined,
  name = "Allowance for Slipway",
): Blob {
  const batch = {
    version: "1.0",
    chainId: String(chainId ?? 0),
    meta: { name },
    transactions: calls.map(({ to, data }) => ({ to, data, value: "0" })),
  };

  return new Blob([JSON.stringify(batch, null, 2)], { type: "application/json" });
}
