// What the console tells those who do not see its screen: that something was saved, sent or refused, or has arrived. There is one polite
// live region for all of it, which App.svelte draws. What is told stands on the screen, too.
import { tick } from "svelte";

/** told is what the region says now. */
export const told = $state({ text: "" });

let next: string[] = [];

/** tell has the region say a sentence. Those of one moment are said one after the other, a repeated one again. */
export function tell(sentence: string): void {
  if (!sentence) return;
  if (!next.length) void said();
  if (next.at(-1) !== sentence) next.push(sentence);
}

async function said(): Promise<void> {
  await tick();
  told.text = "";
  await tick(); // the region was empty in between: a screen reader takes the same words for something new
  told.text = next.join(" ");
  next = [];
}

const gatherMilliseconds = 1000;
let arrived: string[] = [];

/** tellArrived tells of an event of the organisation. Many at once are counted, so that nobody has to listen to each. */
export function tellArrived(type: string): void {
  if (!arrived.length) setTimeout(tellAll, gatherMilliseconds);
  arrived.push(type);
}

function tellAll(): void {
  const [first = ""] = arrived;
  tell(arrived.length === 1 ? `News: ${first.replace(/[._]/g, " ")}.` : `News: ${arrived.length} changes.`);
  arrived = [];
}
