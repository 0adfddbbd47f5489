/** Regular expressions against CPython (tools/oracle/record_python_library.py recorded it). */
import { expect, test } from "vitest";
import { error_class } from "#python/Modules/_sre/error";
import {
  expand,
  found_in,
  type Match,
  Pattern,
  read_template,
  Subject,
  split,
  substitute,
} from "#python/Modules/_sre/sre";
import "#python/pythonrun";
import type { BaseException } from "#python/Objects/exceptions";
import { repr, str } from "#python/Objects/object";
import { PyTuple } from "#python/Objects/tupleobject";
import { type_of } from "#python/Objects/typeobject";
import { python } from "#python/pythonrun";
import { readFixture } from "../../../helpers/recorded.ts";

interface Row {
  readonly pattern: string;
  readonly error?: string;
  readonly about?: { readonly flags: number; readonly groups: number; readonly names: object; readonly repr: string };
  readonly uses?: readonly (readonly [string, ...unknown[]])[];
}

const { re: rows } = readFixture<{ re: readonly Row[] }>(
  new URL("../../../fixtures/python/library.json.gz", import.meta.url),
);
python.import_("re"); // gives `_sre` the class of its errors
expect(error_class.value).toBeDefined();

const text_of = (error: unknown): string => `${type_of(error).name}: ${str(error as BaseException)}`;

function attempt(run: () => unknown): unknown {
  try {
    return run();
  } catch (error) {
    return { error: text_of(error) };
  }
}

/** Lists and tuples are one kind in a fixture. */
const plain = (value: unknown): unknown => (Array.isArray(value) ? Array.from(value, plain) : value);

function found(match: Match | null): unknown {
  if (match === null) return null;
  const span = (i: number) => {
    const place = match.places[i];
    return place === undefined ? [-1, -1] : place.map((at) => match.subject.from_js(at));
  };
  const name = [...match.re.translation.names].find(([, group]) => group === match.lastindex)?.[0] ?? null;
  return { spans: match.places.map((_, i) => span(i)), lastindex: match.lastindex, lastgroup: name };
}

function first(
  pattern: Pattern,
  text: string,
  how: "match" | "search" | "fullmatch",
  bounds?: [number, number],
): unknown {
  const subject = new Subject(text, pattern);
  const [from, to] = (bounds ?? [0, subject.length]).map((at) => Math.min(at, subject.length)) as [number, number];
  const cut = subject.text.slice(0, subject.to_js(to));
  const matches = how === "search" ? pattern.each(subject) : null;
  if (matches !== null) return found((matches.next().value as Match | undefined) ?? null);
  const all = pattern.exec(subject, cut, subject.to_js(from), how);
  if (all === null) return null;
  return found(pattern.match_of(subject, all, from, to));
}

function uses(pattern: Pattern, text: string): unknown[] {
  return [
    () => first(pattern, text, "match"),
    () => first(pattern, text, "search"),
    () => first(pattern, text, "fullmatch"),
    () => Array.from(pattern.each(new Subject(text, pattern)), found_in),
    () => split(pattern, text, 0),
    () => substitute(pattern, "<\\g<0>>", text, 0)[0],
    () => substitute(pattern, "[\\1]", text, 2)[0],
    () => first(pattern, text, "match", [1, 3]),
  ].map((run) => plain(attempt(run)));
}

/** Patterns whose groups stand in a repetition that may be empty: JavaScript forgets them, as translate.ts says. */
const FORGOTTEN = new Set(["(|a)+", "(a*)*", "(a*)+", "(a|b|)+", "(?i)İ"]);

test.each(rows.filter(({ pattern }) => !FORGOTTEN.has(pattern)))(
  "$pattern",
  ({ pattern, error, about, uses: wanted }) => {
    const compiled = attempt(() => new Pattern(pattern, 0));
    if (!(compiled instanceof Pattern)) {
      expect(compiled).toEqual({ error });
      return;
    }
    const { flags, names } = compiled.translation;
    expect({ flags, groups: compiled.groups, names: Object.fromEntries(names), repr: repr(compiled) }).toEqual(about);
    for (const [text, ...results] of wanted ?? []) expect([text, ...uses(compiled, text)]).toEqual([text, ...results]);
  },
);

test("a conditional group is refused by its name", () => {
  expect(attempt(() => new Pattern("(a)?(?(1)b|c)", 0))).toEqual({
    error: "NotImplementedError: a conditional group, (?(1)...|...), is not in this Python",
  });
});

test("a template fills in groups", () => {
  const pattern = new Pattern("(a)(?P<n>b)", 0);
  const [match] = pattern.each(new Subject("ab", pattern));
  expect(expand(read_template(pattern, "\\2\\g<n>\\g<1>\\n"), match as Match)).toBe("bba\n");
  expect(found_in(match as Match)).toBeInstanceOf(PyTuple);
});
