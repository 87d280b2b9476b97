// What the pages of /docs do beyond showing text: search, copying, one language of samples at a time, and calls of this
// deployment. Without it everything is there to read.
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

// Copying; a guide's samples get a button too.
for (const pre of document.querySelectorAll("article pre")) {
  const sample = document.createElement("div");
  sample.className = "sample";
  pre.replaceWith(sample);
  sample.innerHTML = '<p class="bar"><span></span><button type="button" class="copy">Copy</button></p>';
  sample.append(pre);
}

for (const button of document.querySelectorAll(".copy")) {
  button.addEventListener("click", async () => {
    const code = button.closest(".sample").querySelector("code").textContent;
    try {
      await navigator.clipboard.writeText(code);
      button.textContent = "Copied";
    } catch {
      button.textContent = "Select and copy";
    }
    setTimeout(() => { button.textContent = "Copy"; }, 2000);
  });
}

// One language at a time, the same everywhere.
const remember = (key, value) => { try { localStorage.setItem(key, value); } catch { /* a private window */ } };
const remembered = (key) => { try { return localStorage.getItem(key); } catch { return null; } };

const choose = (language) => {
  for (const sample of document.querySelectorAll(".sample[data-language]")) {
    sample.hidden = sample.dataset.language !== language;
  }
  for (const b of document.querySelectorAll(".languages button")) {
    b.setAttribute("aria-pressed", String(b.textContent === language));
  }
  remember("language", language);
};

for (const samples of document.querySelectorAll(".samples")) {
  const bar = document.createElement("div");
  bar.className = "languages";
  for (const sample of samples.querySelectorAll("[data-language]")) {
    const b = document.createElement("button");
    b.type = "button";
    b.textContent = sample.dataset.language;
    b.addEventListener("click", () => choose(sample.dataset.language));
    bar.append(b);
  }
  samples.prepend(bar);
}
if (document.querySelector(".samples")) choose(remembered("language") || "curl");

// Calls of this deployment. The token stays in this tab.
const token = document.getElementById("token");
if (token) {
  token.value = sessionStorage.getItem("token") || "";
  token.addEventListener("input", () => sessionStorage.setItem("token", token.value));
}

const exampleBody = (operation) => {
  const go = operation.querySelector(".sample[data-language=Go] code").textContent;
  const body = /NewReader\(`([^`]*)`\)/.exec(go);
  return body ? body[1] : "";
};

for (const box of document.querySelectorAll(".try")) {
  const form = box.querySelector("form");
  const result = box.querySelector(".result");
  if (form.elements.body) form.elements.body.value = exampleBody(box.closest(".operation"));

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
