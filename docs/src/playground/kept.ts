/**
 * @file The reader's own text of each playground in this browser: it is there again after a reload and after a way back. Nothing of it is sent
 * anywhere, and nothing of it runs before the reader says so.
 * @original
 */
import { isShared, type Shared } from "./engine/share.ts";

interface Entry {
  /** Page and playground, and the address that the reader began with if it brought a program. */
  readonly at: string;
  readonly state: Shared;
}

const PLACE = "glasstorch.playground";
/** The newest ones are kept. */
const MOST = 20;
/** Characters of one entry: far more than a person writes. */
const LONGEST = 300_000;

export const NOT_KEPT =
  "This browser keeps no more text for this site, so your program is lost when you leave the page. Share puts it into an address.";

function entries(): readonly Entry[] {
  try {
    const found: unknown = JSON.parse(localStorage.getItem(PLACE) ?? "[]");
    return Array.isArray(found) ? found.filter(isEntry) : [];
  } catch {
    return []; // forbidden, or another's text
  }
}

const isEntry = (value: unknown): value is Entry =>
  typeof value === "object" && value !== null && "at" in value && "state" in value && isShared(value.state);

export function keptAt(at: string): Shared | null {
  return entries().find((entry) => entry.at === at)?.state ?? null;
}

/** @returns false if the browser does not keep it */
export function keep(at: string, state: Shared): boolean {
  const others = entries().filter((entry) => entry.at !== at);
  if (Object.keys(state).length === 0) return stored(others);
  const entry = { at, state };
  if (JSON.stringify(entry).length > LONGEST) return false;
  // If the store is full, older texts give way.
  return stored([entry, ...others].slice(0, MOST)) || stored([entry]);
}

function stored(all: readonly Entry[]): boolean {
  try {
    if (all.length === 0) localStorage.removeItem(PLACE);
    else localStorage.setItem(PLACE, JSON.stringify(all));
    return true;
  } catch {
    return false; // full, or forbidden
  }
}
