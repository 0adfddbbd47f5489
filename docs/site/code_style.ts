/**
 * @file How code is coloured on the site: by classes, so that both themes share one text and a page stays light.
 * @original
 */
import type { RehypeShikiOptions } from "@shikijs/rehype";
import { transformerMetaHighlight, transformerNotationDiff, transformerNotationHighlight } from "@shikijs/transformers";
import { createCssVariablesTheme, type ShikiTransformer } from "shiki";

/** Every token's colour is a variable `--c-token-…`. */
export const theme = createCssVariablesTheme({ name: "glass", variablePrefix: "--c-", fontStyle: false });

export const languages = ["ts", "tsx", "python", "cpp", "json", "bash", "yaml", "diff"] as const;

/** `color:var(--c-token-string-expression)` becomes the class `t-string-expression`; plain text carries none. */
export const classes: ShikiTransformer = {
  name: "classes",
  span(node) {
    const style = String(node.properties["style"] ?? "");
    const token = /^color:var\(--c-token-([a-z-]+)\)$/.exec(style)?.[1];
    delete node.properties["style"];
    if (token !== undefined) node.properties["class"] = `t-${token}`;
  },
  pre(node) {
    delete node.properties["style"];
  },
};

/** `title="…" file="…" line="3" upstream="…"` of a fence go to its figure; so do `run="…"` and `why="…"` of a program. */
const caption: ShikiTransformer = {
  name: "caption",
  pre(node) {
    const raw = this.options.meta?.__raw ?? "";
    for (const [, name, value] of raw.matchAll(/\b(title|file|line|upstream|run|why)="([^"]*)"/g))
      node.properties[`data-${name}`] = value;
    node.properties["data-language"] = this.options.lang;
  },
};

export const shikiOptions: RehypeShikiOptions = {
  theme,
  langs: [...languages],
  addLanguageClass: false,
  fallbackLanguage: "text",
  transformers: [
    transformerMetaHighlight(),
    transformerNotationHighlight(),
    transformerNotationDiff(),
    classes,
    caption,
  ],
};
