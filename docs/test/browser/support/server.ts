/**
 * @file A static host: files as they are, text packed with gzip, no header that a plain host would not send; and a ledger of what was sent.
 * @original
 */
import { existsSync, readFileSync, statSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join, normalize } from "node:path";
import { gzipSync } from "node:zlib";

const types: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".json": "application/json",
  ".svg": "image/svg+xml",
  ".txt": "text/plain; charset=utf-8",
  ".xml": "application/xml",
  ".gz": "application/gzip",
  ".woff2": "font/woff2",
};
const packed = new Set([".html", ".js", ".css", ".json", ".svg", ".txt", ".xml"]);
const bodies = new Map<string, Buffer>();

export interface Sent {
  readonly path: string;
  readonly bytes: number;
}

export interface Served {
  /** With the sub-path, and a slash at the end. */
  readonly url: string;
  /** Everything sent since it was last emptied. */
  readonly sent: Sent[];
  readonly close: () => void;
}

/** The path for which a site was built, read from its first page. */
export function basePath(folder: string): string {
  const found = /\bsrc="?([^"\s>]*\/)assets\/js\//.exec(readFileSync(join(folder, "index.html"), "utf8"))?.[1];
  if (found === undefined) throw new Error(`${folder} holds no built site`);
  return found;
}

/** @param headers what this host sends with every answer */
export async function serve(folder: string, headers: Readonly<Record<string, string>> = {}): Promise<Served> {
  const base = basePath(folder);
  const sent: Sent[] = [];
  const server = createServer((request, response) => {
    const path = normalize(decodeURIComponent((request.url ?? "/").replace(/[?#].*$/, "")));
    const answer = (status: number, file: string): void => {
      const kind = extname(file);
      const small = packed.has(kind);
      const body = bodies.get(file) ?? (small ? gzipSync(readFileSync(file)) : readFileSync(file));
      bodies.set(file, body);
      sent.push({ path, bytes: body.length });
      response.writeHead(status, {
        "content-type": types[kind] ?? "application/octet-stream",
        "content-length": body.length,
        "cache-control": "max-age=600",
        ...headers,
        ...(small ? { "content-encoding": "gzip" } : {}),
      });
      response.end(body);
    };
    if (path.startsWith(base)) {
      let file = join(folder, path.slice(base.length));
      if (existsSync(file) && statSync(file).isDirectory()) {
        if (!path.endsWith("/")) return void response.writeHead(301, { location: `${path}/` }).end();
        file = join(file, "index.html");
      }
      if (existsSync(file)) return answer(200, file);
    }
    answer(404, join(folder, "404.html"));
  });
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${base}`,
    sent,
    close: () => void server.close(),
  };
}
