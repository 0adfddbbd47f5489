/**
 * @file The types `re.Pattern` and `re.Match` as a program sees them, and the module `_sre`. `re` itself is Lib/re.py.
 * @mirrors Modules/_sre/sre.c (CPython 3.11)
 */
import { PyBytes } from "../../Objects/bytesobject.ts";
import { define_attributes } from "../../Objects/descrobject.ts";
import { dict_of, type PyDict } from "../../Objects/dictobject.ts";
import { IndexError, TypeError_ } from "../../Objects/exceptions.ts";
import { hash_of } from "../../Objects/hashing.ts";
import { NativeIterator } from "../../Objects/iterobject.ts";
import { define_methods, functions } from "../../Objects/methodobject.ts";
import { equal, NotImplemented, repr } from "../../Objects/object.ts";
import { tuple } from "../../Objects/tupleobject.ts";
import { builtin_type } from "../../Objects/typeobject.ts";
import { index, int_of, ssize } from "../arguments.ts";
import { FLAG } from "./categories.ts";
import { error_class } from "./error.ts";
import { expand, found_in, Match, Pattern, read_template, Subject, split, substitute } from "./sre.ts";

/** Two places in the subject; outside of it, its edge. */
function bounds(subject: Subject, pos: unknown, endpos: unknown): readonly [number, number] {
  const clamped = (at: unknown): number => Math.max(0, Math.min(subject.length, Number(index(at))));
  return [clamped(pos), endpos === undefined ? subject.length : clamped(endpos)];
}

function finder(
  how: "match" | "search" | "fullmatch",
): (self: Pattern, value: unknown, pos: unknown, endpos: unknown) => unknown {
  return (self, value, pos, endpos) => {
    const subject = new Subject(value, self);
    const [from, to] = bounds(subject, pos, endpos);
    if (from > to) return null;
    const found = self.exec(subject, subject.text.slice(0, subject.to_js(to)), subject.to_js(from), how);
    return found === null ? null : new Match(self, subject, found, from, to);
  };
}

const NAMES: readonly (readonly [number, string])[] = [
  [FLAG.I, "re.IGNORECASE"],
  [FLAG.M, "re.MULTILINE"],
  [FLAG.S, "re.DOTALL"],
  [FLAG.X, "re.VERBOSE"],
  [FLAG.A, "re.ASCII"],
];

function pattern_repr(self: Pattern): string {
  const names = NAMES.filter(([bit]) => self.translation.flags & bit).map(([, name]) => name);
  const text = repr(self.pattern);
  return `re.compile(${text.length > 200 ? text.slice(0, 200) : text}${names.length > 0 ? `, ${names.join("|")}` : ""})`;
}

/** The number of a group from its number or name. */
function group_number(self: Match, group: unknown): number {
  const number = typeof group === "string" ? self.re.translation.names.get(group) : int_of(group);
  if (typeof number !== "number" || number < 0 || number > self.re.groups) throw new IndexError("no such group");
  return number;
}

function span(self: Match, group: unknown): readonly [number, number] {
  const place = self.places[group_number(self, group)];
  return place === undefined ? [-1, -1] : [self.subject.from_js(place[0]), self.subject.from_js(place[1])];
}

const numbers_of = (self: Match): number[] => Array.from({ length: self.re.groups }, (_, i) => i + 1);

function define_pattern(): void {
  const type = builtin_type("Pattern", { cls: Pattern, module: "re" });
  define_attributes(type, {
    pattern: (self: Pattern) => self.pattern,
    flags: (self: Pattern) => self.translation.flags,
    groups: (self: Pattern) => self.groups,
    groupindex: (self: Pattern): PyDict => dict_of(self.translation.names),
  });
  define_methods(type, {
    "match(self, /, string, pos=0, endpos=<unset>)": finder("match"),
    "search(self, /, string, pos=0, endpos=<unset>)": finder("search"),
    "fullmatch(self, /, string, pos=0, endpos=<unset>)": finder("fullmatch"),
    "findall(self, /, string, pos=0, endpos=<unset>)": (self: Pattern, value, pos, endpos) => {
      const subject = new Subject(value, self);
      return Array.from(self.each(subject, ...bounds(subject, pos, endpos)), found_in);
    },
    "finditer(self, /, string, pos=0, endpos=<unset>)": (self: Pattern, value, pos, endpos) => {
      const subject = new Subject(value, self);
      return new NativeIterator(self.each(subject, ...bounds(subject, pos, endpos)));
    },
    "sub(self, /, repl, string, count=0)": (self: Pattern, repl, value, count) =>
      substitute(self, repl, value, ssize(count))[0],
    "subn(self, /, repl, string, count=0)": (self: Pattern, repl, value, count) =>
      tuple(substitute(self, repl, value, ssize(count))),
    "split(self, /, string, maxsplit=0)": (self: Pattern, value, maxsplit) => split(self, value, ssize(maxsplit)),
    "__repr__(self, /)": pattern_repr,
    "__eq__(self, value, /)": (self: Pattern, other: unknown) =>
      other instanceof Pattern
        ? equal(self.pattern, other.pattern) && self.translation.flags === other.translation.flags
        : NotImplemented,
    "__hash__(self, /)": (self: Pattern) => hash_of(tuple([self.pattern, self.translation.flags])),
    "__copy__(self, /)": (self) => self,
    "__deepcopy__(self, memo, /)": (self) => self,
  });
}

function define_match(): void {
  const type = builtin_type("Match", { cls: Match, module: "re" });
  define_attributes(type, {
    re: (self: Match) => self.re,
    string: (self: Match) => self.subject.value,
    pos: (self: Match) => self.pos,
    endpos: (self: Match) => self.endpos,
    lastindex: (self: Match) => self.lastindex,
    lastgroup: (self: Match) =>
      [...self.re.translation.names].find(([, group]) => group === self.lastindex)?.[0] ?? null,
    regs: (self: Match) => tuple([0, ...numbers_of(self)].map((group) => tuple(span(self, group)))),
  });
  define_methods(type, {
    "group(self, /, *groups)": (self: Match, groups: unknown[]) => {
      const values = (groups.length === 0 ? [0] : groups).map((group) => self.value(group_number(self, group)));
      return values.length === 1 ? values[0] : tuple(values);
    },
    "groups(self, /, default=None)": (self: Match, otherwise) =>
      tuple(numbers_of(self).map((group) => self.value(group, otherwise))),
    "groupdict(self, /, default=None)": (self: Match, otherwise) =>
      dict_of([...self.re.translation.names].map(([name, group]) => [name, self.value(group, otherwise)] as const)),
    "start(self, group=0, /)": (self: Match, group) => span(self, group)[0],
    "end(self, group=0, /)": (self: Match, group) => span(self, group)[1],
    "span(self, group=0, /)": (self: Match, group) => tuple(span(self, group)),
    "expand(self, /, template)": (self: Match, template) =>
      self.subject.join([expand(read_template(self.re, template), self)]),
    "__getitem__(self, key, /)": (self: Match, group) => self.value(group_number(self, group)),
    "__repr__(self, /)": (self: Match) => {
      const [start, end] = span(self, 0);
      return `<re.Match object; span=(${start}, ${end}), match=${repr(self.value(0)).slice(0, 50)}>`;
    },
    "__copy__(self, /)": (self) => self,
    "__deepcopy__(self, memo, /)": (self) => self,
  });
}

function compile(pattern: unknown, flags: unknown): Pattern {
  if (typeof pattern !== "string" && !(pattern instanceof PyBytes))
    throw new TypeError_("first argument must be string or compiled pattern");
  return new Pattern(pattern, ssize(flags));
}

export function _sre(): Map<string, unknown> {
  define_pattern();
  define_match();
  const namespace = functions("_sre", {
    "compile(pattern, flags, /)": compile,
    "set_error(cls, /)": (cls) => {
      error_class.value = cls;
    },
  });
  namespace.set("Pattern", (Pattern.prototype as { constructor: unknown }).constructor);
  namespace.set("Match", (Match.prototype as { constructor: unknown }).constructor);
  return namespace;
}
