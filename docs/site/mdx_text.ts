/**
 * @file Text that is put into a page: what MDX would read as markup is made harmless.
 * @original
 */
/** Characters that MDX would read as markup. */
export function escape(text: string): string {
  return text.replace(/[\\`*_{}[\]<>#|]/g, "\\$&");
}

/** A comment's sentence: its code stays code, the rest is text. */
export function inline(text: string): string {
  return text
    .split(/(`[^`]*`)/)
    .map((part) => (part.startsWith("`") ? part : escape(part)))
    .join("");
}
