import { mount } from "svelte";
import App from "./App.svelte";
import "./look.css";
import { watch } from "./lib/leave";
import { start } from "./lib/router.svelte";

const target = document.getElementById("console");
if (!target) throw new Error("the page has no element for the console");

// What a browser must have, and no line of ours replaces. The page itself says which browsers have it: see docs/explanation/console.md.
const able = "showPopover" in HTMLElement.prototype && "showModal" in HTMLDialogElement.prototype && CSS.supports("selector(:has(a))");

if (able) {
  target.replaceChildren();
  watch();
  start();
  mount(App, { target });
} else {
  target.className = "unable";
}
