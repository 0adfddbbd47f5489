/**
 * @file Builds and serves the standalone page; `sources/` below it contains the repository's sources for the source pane.
 * @original
 */
import { cpSync, createReadStream, existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import react from "@vitejs/plugin-react";
import type { Plugin } from "vite";
import { defineConfig } from "vitest/config";

const repository = fileURLToPath(new URL("../../", import.meta.url));

/** The sources in `src/` of the repository: the present ones in development, copied in the build. */
function repositorySources(): Plugin {
  let outDir = "";
  return {
    name: "repository-sources",
    configResolved(config) {
      outDir = join(config.root, config.build.outDir);
    },
    configureServer(server) {
      server.middlewares.use("/sources", (request, response, next) => {
        const path = decodeURIComponent((request.url ?? "").replace(/\?.*$/, ""));
        const file = join(repository, path);
        if (!file.startsWith(join(repository, "src/")) || !existsSync(file)) return next();
        response.setHeader("content-type", "text/plain; charset=utf-8");
        createReadStream(file).pipe(response);
      });
    },
    writeBundle() {
      cpSync(join(repository, "src"), join(outDir, "sources/src"), {
        recursive: true,
        filter: (path) => !/\.(json|ts\.tmpl)$/.test(path),
      });
    },
  };
}

export default defineConfig({
  base: "./",
  plugins: [react(), repositorySources()],
  server: { fs: { allow: [repository] } },
  build: { target: "es2022", chunkSizeWarningLimit: 700 },
  test: { include: ["test/**/*.test.ts"], testTimeout: 60_000, hookTimeout: 120_000, maxWorkers: 1 },
});
