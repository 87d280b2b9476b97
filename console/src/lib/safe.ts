// What a Safe's owner signs and sends with a browser's wallet. The transaction is encoded here again from the approval calls
// that the page has read, and anything else is not signed.
import type { Schemas } from "./api.svelte";
import { ready, type Call, type Provider } from "./wallet";

export type SafeTx = NonNullable<Schemas["TransactionAllowance"]["safe"]>;

// Published contracts that carry out a batch of calls, and never a delegate call (MultiSendCallOnly).
const batchers = [
  "0x9641d764fc13c8b624c04430c7356c1c7c8102e2",
  "0x40a2accbd92bca938b02010e17a5b8929b49130d",
  "0xa1dabef33b3b82c7814b6d82a79e50f4ac44102b",
  "0xa83c336b20401af773b6219ba5027174338d1836",
];
const multiSend = "8d80ff0a"; // multiSend(bytes)
const none = "0x0000000000000000000000000000000000000000";

const word = (n: number) => n.toString(16).padStart(64, "0");
const same = (a: string | null | undefined, b: string) => (a ?? "").toLowerCase() === b.toLowerCase();

// batched encodes calls as a batcher takes them.
function batched(calls: Call[]): string {
  const packed = calls
    .map((c) => `00${c.to.slice(2)}${word(0)}${word((c.data.length - 2) / 2)}${c.data.slice(2)}`)
    .join("");
  const bytes = packed.length / 2;

  return `0x${multiSend}${word(32)}${word(bytes)}${packed.padEnd(Math.ceil(bytes / 32) * 64, "0")}`;
}

/** strange returns why a SafeTx is not those approval calls and nothing else, or "". */
export function strange(tx: SafeTx, calls: Call[], owner: string, chainId: number): string {
  const { message, domain } = tx.typedData;
  const wanted = calls.slice(0, tx.purposes.length);
  const [first] = wanted;
  const zeros = [message.value, message.safeTxGas, message.baseGas, message.gasPrice];

  if (!first || wanted.some((c, i) => c.purpose !== tx.purposes[i])) return "It has other calls than were described.";
  if (!same(domain.verifyingContract, owner)) return "It is of another Safe.";
  if (domain.chainId && domain.chainId !== String(chainId)) return "It is for another network.";
  if (zeros.some((n) => n !== "0") || !same(message.gasToken, none) || !same(message.refundReceiver, none)) {
    return "It would pay for gas out of the Safe, or use up its number when it fails.";
  }
  if (wanted.length === 1) {
    const plain = message.operation === "0" && same(message.to, first.to) && same(message.data, first.data);

    return plain ? "" : "It is another call than was described.";
  }
  if (message.operation !== "1" || !batchers.some((b) => same(message.to, b))) return "Its batch goes to an unknown contract.";

  return same(message.data, batched(wanted)) ? "" : "Its batch has other calls than were described.";
}

/** signSafe has an owner sign a SafeTx (eth_signTypedData_v4). */
export async function signSafe(provider: Provider, network: Schemas["NetworkView"], tx: SafeTx): Promise<string> {
  const { from } = await ready(provider, network, tx.owners);

  // Fields without a value are left out: a wallet would hash them otherwise.
  const data = JSON.stringify(tx.typedData, (_, value: unknown) => value ?? undefined);

  return (await provider.request({ method: "eth_signTypedData_v4", params: [from, data] })) as string;
}
