/**
 * @file Modules and names of PyTorch that a program can ask for and that are not here: the error of the import or of the attribute says so.
 * @original
 * @see _absent.ts (the same for TypeScript)
 */
import { absences } from "#python/Objects/moduleobject";
import { why_absent } from "./_absent.ts";
import { ABSENT_IN_MODULES, ABSENT_MODULES } from "./generated/absent_modules.ts";

/** From `a:b c` of each line to the set of `a.b` and `a.c`. */
function full_names(table: string): Set<string> {
  const names = new Set<string>();
  for (const line of table.trim().split("\n")) {
    const [owner, members = ""] = line.split(":");
    for (const member of members.split(" ")) names.add(`${owner}.${member}`);
  }
  return names;
}

let known: Set<string> | null = null;

/** The object behind `torch.return_types` is that of the binding; whoever asks first gives it its name. */
const public_name = (full: string): string => full.replace(/^torch\._C\._return_types\./, "torch.return_types.");

absences.why = (given) => {
  const full = public_name(given);
  if (!full.startsWith("torch.")) return null;
  known ??= new Set([...full_names(ABSENT_MODULES), ...full_names(ABSENT_IN_MODULES)]);
  return known.has(full) ? why_absent(full) : null;
};
