// What a list is made of: its columns, its filters, and one page of answers.

/** Page is the envelope of every list of the API. */
export interface Page<T> {
  results: T[];
  total: number;
  nextCursor?: string | null;
}

/** Column is one column. The cells of a row have the kind as their class, too. */
export interface Column {
  head: string;
  /** money and times are set right and never broken; less is left out on a telephone. */
  kind?: "money" | "when" | "less";
  /** sort is what the API calls this column in sortBy. Its head is then a link that sorts by it. */
  sort?: string;
}

/** Filter is one parameter of the query, which stands in the address under the same name. */
export interface Filter {
  name: string;
  label: string;
  options?: { value: string; label: string }[];
  type?: "date" | "text";
}
