// The numbers of an account as a request carries them: without the spaces that people type.

/** numbersOf returns the fields that have a value. */
export function numbersOf(numbers: Record<string, string>, currency: string): Record<string, string> {
  const filled = Object.entries(numbers)
    .map(([name, value]) => [name, value.replace(/[\s-]/g, "").toUpperCase()] as const)
    .filter(([, value]) => value);
  const type: Record<string, string> = currency === "USD" ? { accountType: "CHECKING" } : {};

  return { ...type, ...Object.fromEntries(filled) };
}
