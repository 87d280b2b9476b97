import { mount } from "svelte";
import App from "./App.svelte";
import "./look.css";
import { start } from "./lib/router.svelte";

const target = document.getElementById("console");
if (!target) throw new Error("the page has no element for the console");

start();
mount(App, { target });
