import { createHash } from "node:crypto";
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig, type Plugin } from "vite";

const here = import.meta.dirname;

/** sources returns what the bundle depends on, as paths from the root of the repository, sorted by their bytes. */
function sources(): string[] {
  const root = join(here, "..");
  const files = ["console", "clients/typescript/src"].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1).replaceAll("\\", "/"))
      .filter((path) => !path.startsWith("console/node_modules/")),
  );

  return [...files, "docs/openapi.json"].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
}

/** pages returns the addresses of all pages, one a line: the service answers 404 for every other one. */
function pages(): string {
  const found = readFileSync(join(here, "src/pages.ts"), "utf8").matchAll(/\bpath: "([^"]+)"/g);

  return [...found].map(([, path]) => `${path}\n`).join("");
}

/**
 * digest writes pages.txt, and sources.sha256: a line for each source with its own hash. A Go test compares it without Node, so that a
 * change of the sources without a new bundle is seen on a machine with Go alone.
 */
function digest(): Plugin {
  let folder = "";

  return {
    name: "digest",
    configResolved: (config) => void (folder = config.build.outDir),
    closeBundle() {
      const lines = sources().map((path) => {
        const sum = createHash("sha256").update(readFileSync(join(here, "..", path))).digest("hex");

        return `${sum}  ${path}\n`;
      });
      writeFileSync(join(folder, "sources.sha256"), lines.join(""));
      writeFileSync(join(folder, "pages.txt"), pages());
    },
  };
}

export default defineConfig({
  root: here,
  base: "./",
  plugins: [
    svelte({
      // The hash of a class comes from the styles themselves: the default depends on where the repository lies.
      compilerOptions: { cssHash: ({ hash, css }) => `s${hash(css)}` },
    }),
    digest(),
  ],
  build: {
    outDir: join(here, "../internal/pages/console/dist"),
    emptyOutDir: true,
    // The oldest browsers that the console is for: index.html names them. Their style sheets get colours without light-dark().
    target: ["chrome114", "edge114", "firefox125", "safari17"],
    modulePreload: false,
    assetsInlineLimit: 0,
    cssCodeSplit: false,
    sourcemap: false,
    rolldownOptions: {
      output: {
        entryFileNames: "app.js",
        chunkFileNames: "[name].js",
        assetFileNames: "app[extname]",
        // The first view calls most of what app.js has. Chromium then compiles all of it beside the page, while it loads, and not one
        // function after the other on the page's own thread. Other browsers see a comment. It must be the first line.
        postBanner: (chunk) => (chunk.isEntry ? "//# allFunctionsCalledOnLoad" : ""),
      },
    },
  },
  server: {
    port: 5173,
    proxy: { "^/(?!console|@|src|node_modules)": "http://127.0.0.1:8080" },
  },
});
