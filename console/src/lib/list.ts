// What a list is made of: its columns, its filters, and one page of answers.
import type { Snippet } from "svelte";

/** Page is the envelope of every list of the API. */
export interface Page<T> {
  results: T[];
  total: number;
  nextCursor?: string | null;
}

/** Column is one column. */
export interface Column<T> {
  head: string;
  cell: Snippet<[T]>;
  /** money and times are set right and never broken; less is left out on a telephone. */
  kind?: "money" | "when" | "less";
}

/** Filter is one parameter of the query, which stands in the address under the same name. */
export interface Filter {
  name: string;
  label: string;
  options?: { value: string; label: string }[];
  type?: "date" | "text";
}
