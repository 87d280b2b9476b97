// What the pages of /docs do beyond showing text: search, copying, and calls of this deployment. Without it everything is
// there to read.
"use strict";

const menu = document.getElementById("menu");
const wide = matchMedia("(min-width: 60.01rem)");
const unfold = () => { if (menu) menu.open = wide.matches; };
unfold();
wide.addEventListener("change", unfold);

// Search: every word must stand in the method, path, summary or title.
const search = document.getElementById("search");
if (search) {
  const items = [...document.querySelectorAll("nav li")];
  const groups = [...document.querySelectorAll("nav .group")];
  const opened = groups.map((g) => g.open);
  const text = (li) => (li.firstElementChild.dataset.words || li.textContent).toLowerCase();

  search.addEventListener("input", () => {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    for (const li of items) li.hidden = !words.every((w) => text(li).includes(w));
    groups.forEach((g, i) => {
      const found = [...g.querySelectorAll("li")].some((li) => !li.hidden);
      g.hidden = words.length > 0 && !found;
      g.open = words.length > 0 ? found : opened[i];
    });
  });

  addEventListener("keydown", (e) => {
    if (e.key !== "/" || e.target.matches("input, textarea")) return;
    e.preventDefault();
    menu.open = true;
    search.focus();
  });
}

// Copying.
for (const pre of document.querySelectorAll("pre:not(.result)")) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "copy";
  button.textContent = "Copy";
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(pre.textContent);
      button.textContent = "Copied";
    } catch {
      button.textContent = "Select and copy";
    }
    setTimeout(() => { button.textContent = "Copy"; }, 2000);
  });
  pre.before(button);
}

// Calls of this deployment. The token stays in this tab.
const token = document.getElementById("token");
if (token) {
  token.value = sessionStorage.getItem("token") || "";
  token.addEventListener("input", () => sessionStorage.setItem("token", token.value));
}

for (const box of document.querySelectorAll(".try")) {
  const form = box.querySelector("form");
  const result = box.querySelector(".result");

  form.addEventListener("submit", async (e) => {
    e.preventDefault();
    let path = box.dataset.path;
    const query = new URLSearchParams();
    for (const input of form.querySelectorAll("input")) {
      if (input.dataset.in === "path") path = path.replace(`{${input.name}}`, encodeURIComponent(input.value));
      else if (input.value) query.append(input.name, input.value);
    }

    const method = box.dataset.method;
    const headers = {};
    if (token && token.value) headers.Authorization = `Bearer ${token.value}`;
    if (method !== "GET" && headers.Authorization) headers["Idempotency-Key"] = crypto.randomUUID?.() ?? String(Math.random());
    const body = form.elements.body?.value;
    if (body) headers["Content-Type"] = "application/json";

    result.hidden = false;
    result.textContent = "…";
    try {
      const res = await fetch(path + (query.size ? `?${query}` : ""), { method, headers, body: body || undefined });
      const text = await res.text();
      let shown = text;
      try { shown = JSON.stringify(JSON.parse(text), null, 2); } catch { /* no JSON */ }
      result.textContent = `${res.status} ${res.statusText}\n\n${shown}`;
      const got = /"access_token":\s*"([^"]+)"/.exec(text);
      if (got && token) {
        token.value = got[1];
        sessionStorage.setItem("token", got[1]);
      }
    } catch (err) {
      result.textContent = String(err);
    }
  });
}
