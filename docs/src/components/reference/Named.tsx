/**
 * @file A generated name on /names: checked while the site is prepared, and linked to the line where it stands.
 * @original
 */
import names from "@site/generated/names.json";
import { At } from "./At";

const places: Readonly<Record<string, { file: string; line: number } | undefined>> = names;

/** `rule` and `op` (and `key`) say which function of codegen makes the name, from what; site/names_check.ts reads them. */
export function Named({ children }: { rule: string; op: string; children: string }) {
  const place = places[children];
  if (place === undefined) return <code>{children}</code>;
  return (
    <At file={place.file} line={place.line}>
      <code>{children}</code>
    </At>
  );
}
