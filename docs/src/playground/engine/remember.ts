/**
 * @file Compiled modules kept in the browser between visits, by the address of the archive they were made from. A convenience only: without
 * it, or if the browser keeps nothing, they are made again.
 * @original
 */
import type { Module } from "./transpile.ts";

const STORE = "glasstorch-playground";

export async function rememberedModules(address: string): Promise<Map<string, string>> {
  try {
    const found = await (await caches.open(STORE)).match(keyOf(address));
    return new Map(found === undefined ? [] : ((await found.json()) as [string, string][]));
  } catch {
    return new Map();
  }
}

/** Forgets those of other archives. */
export async function rememberModules(address: string, modules: readonly Module[]): Promise<void> {
  try {
    await caches.delete(STORE);
    const body = JSON.stringify(modules.map(({ path, js }) => [path, js]));
    await (await caches.open(STORE)).put(keyOf(address), new Response(body));
  } catch {
    // full, or not allowed
  }
}

const keyOf = (address: string): string => `${address}&modules`;
