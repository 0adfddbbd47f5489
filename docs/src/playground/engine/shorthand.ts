/**
 * @file Shorthand of compiled modules: what the translator writes in every module again and again is sent as one character and the names in it.
 * @original
 *
 *     exports.add = add;                        ->  \ue002add;
 *     the mark of an ECMAScript module          ->  \ue003
 *     var _Scalar = require('#c10/core/Scalar') ->  \ue004#c10/core/Scalar;
 *     a name that is exported again             ->  \ue005module exported imported;
 */

const MARK = 'Object.defineProperty(exports, "__esModule", {value: true});';
const SIGNS = /[\ue002-\ue005]/;

/** The text in shorthand. Functions are exported at the top of their module, so a second export where they stand is left out. */
export function shorten(js: string): string {
  if (SIGNS.test(js)) throw new Error(`a module has a sign of the shorthand in its text: ${js.slice(0, 200)}`);
  const top = js.indexOf(MARK);
  const first = new Set([...js.slice(0, Math.max(top, 0)).matchAll(/exports\.(\w+) = \1;/g)].map(([, name]) => name));
  const once = js
    .slice(Math.max(top, 0))
    .replace(/ ?exports\.(\w+) = \1;/g, (text, name: string) => (first.has(name) ? "" : text));
  return (js.slice(0, Math.max(top, 0)) + once)
    .replace(/exports\.(\w+) = \1;/g, "\ue002$1;")
    .replace(MARK, "\ue003")
    .replace(/var _(\w+) = require\('((?:[^';]*\/)?)\1'\);/g, "\ue004$2$1;")
    .replace(/_createNamedExportFrom\((\w+), '(\w+)', '(\w+)'\);/g, "\ue005$1 $2 $3;");
}

/** The text that was shortened. */
export function lengthen(text: string): string {
  return text
    .replace(/\ue002(\w+);/g, "exports.$1 = $1;")
    .replace("\ue003", MARK)
    .replace(/\ue004((?:[^;]*\/)?)(\w+);/g, "var _$2 = require('$1$2');")
    .replace(/\ue005(\w+) (\w+) (\w+);/g, "_createNamedExportFrom($1, '$2', '$3');");
}
