// What a form calls its fields. The service names a refused value by its place in the request, which means nothing to people.
import { SvelteMap } from "svelte/reactivity";
import type { Problem } from "./api.svelte";

const byProblem = new WeakMap<Problem, SvelteMap<string, string>>();

/** labelsOf returns the labels of the fields that show a problem, by pointer. Fields add theirs. */
export function labelsOf(problem: Problem): SvelteMap<string, string> {
  const known = byProblem.get(problem) ?? new SvelteMap<string, string>();
  byProblem.set(problem, known);

  return known;
}

/** labelled puts the field's label in place of the pointer that a sentence begins with. Other sentences stay as they are. */
export function labelled(sentence: string, labels: ReadonlyMap<string, string>): string {
  const [all, pointer = ""] = /^(\/[^\s:]+):?\s+/.exec(sentence) ?? [];
  if (!all) return sentence;

  return `${labels.get(pointer) ?? spoken(pointer)}: ${sentence.slice(all.length)}`;
}

/** spoken returns a pointer in words: /payments/0/bankAccount is Payment 1, bank account. */
export function spoken(pointer: string): string {
  const words: string[] = [];

  for (const part of pointer.split("/").slice(1)) {
    const name = part.replace(/([a-z])([A-Z])/g, "$1 $2").replaceAll("_", " ").toLowerCase();
    const before = words.at(-1);
    if (/^\d+$/.test(part) && before) words[words.length - 1] = `${before.replace(/s$/, "")} ${Number(part) + 1}`;
    else words.push(name);
  }

  const text = words.join(", ");

  return text.charAt(0).toUpperCase() + text.slice(1);
}
