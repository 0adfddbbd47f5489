/**
 * @file HTML from texts that may hold anything: what is put into a template is escaped, unless it was made by a template itself.
 * @original
 */

/** Text that is HTML already. */
export class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Value = Markup | string | number | null | readonly Value[];

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** The text as it stands in HTML, between tags or in a quoted attribute. Characters that no document may hold are replaced. */
export const escaped = (text: string): string =>
  text
    .replace(/[&<>"']/g, (character) => ENTITIES[character] as string)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that HTML forbids
    .replace(/[\0-\x08\x0b\x0c\x0e-\x1f\x7f]/g, "\ufffd");

function text_of(value: Value): string {
  if (value === null) return "";
  if (value instanceof Markup) return value.text;
  if (Array.isArray(value)) return value.map(text_of).join("");
  return escaped(String(value));
}

/** A template: html`<b>${anything}</b>`. */
export function html(parts: TemplateStringsArray, ...values: readonly Value[]): Markup {
  return new Markup(parts.map((part, i) => part + (i < values.length ? text_of(values[i] as Value) : "")).join(""));
}
