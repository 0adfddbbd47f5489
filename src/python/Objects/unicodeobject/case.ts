/**
 * @file `upper`, `lower`, `title` and the other changes of case.
 * @mirrors Objects/unicodeobject.c#do_title (CPython 3.11)
 */
import { is_case_ignorable, is_cased, is_lower, is_title, is_upper, to_casefold, to_title } from "../unicodectype.ts";

const ASCII = /^[\0-\x7f]*$/;

/** The small letter at a place; a Greek sigma at the end of a word has a form of its own. */
function lower_at(points: readonly string[], at: number): string {
  const character = points[at] as string;
  if (character !== "Σ") return character.toLowerCase();
  let before = at - 1;
  while (before >= 0 && is_case_ignorable(points[before] as string)) before--;
  let after = at + 1;
  while (after < points.length && is_case_ignorable(points[after] as string)) after++;
  const inside = after < points.length && is_cased(points[after] as string);
  return before >= 0 && is_cased(points[before] as string) && !inside ? "ς" : "σ";
}

/** `text.capitalize()`. */
export function capitalize(text: string): string {
  const points = Array.from(text);
  return points.map((character, i) => (i === 0 ? to_title(character) : lower_at(points, i))).join("");
}

/** `text.title()`: a word begins behind every character without case. */
export function title(text: string): string {
  const points = Array.from(text);
  let inside = false;
  return points
    .map((character, i) => {
      const mapped = inside ? lower_at(points, i) : to_title(character);
      inside = is_cased(character);
      return mapped;
    })
    .join("");
}

export function swapcase(text: string): string {
  const points = Array.from(text);
  return points
    .map((character, i) =>
      is_upper(character) ? lower_at(points, i) : is_lower(character) ? character.toUpperCase() : character,
    )
    .join("");
}

export function casefold(text: string): string {
  return ASCII.test(text) ? text.toLowerCase() : Array.from(text, to_casefold).join("");
}

/** `text.istitle()`: capitals only where a word begins, small letters only inside one. */
export function istitle(text: string): boolean {
  let cased = false;
  let inside = false;
  for (const character of text) {
    if (is_upper(character) || is_title(character)) {
      if (inside) return false;
      inside = true;
      cased = true;
    } else if (is_lower(character)) {
      if (!inside) return false;
      cased = true;
    } else inside = false;
  }
  return cased;
}

/** `text.isupper()` and `text.islower()`: some character has this case, and none has another. */
export function has_only_case(text: string, upper: boolean): boolean {
  let cased = false;
  for (const character of text) {
    if ((upper ? is_lower : is_upper)(character) || is_title(character)) return false;
    cased ||= (upper ? is_upper : is_lower)(character);
  }
  return cased;
}
