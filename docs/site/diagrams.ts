/**
 * @file Mermaid diagrams, drawn while a page is compiled: the page carries the drawing, not the program that draws.
 * @original
 */
import { renderMermaidSVG } from "../node_modules/beautiful-mermaid/dist/index.js";

const drawn = new Map<string, string>();

export function diagram(source: string): string {
  const known = drawn.get(source);
  if (known !== undefined) return known;
  const svg = renderMermaidSVG(source.trim(), {
    bg: "var(--card)",
    fg: "var(--ink)",
    line: "var(--line-strong)",
    accent: "var(--flame)",
    muted: "var(--soft)",
    surface: "var(--paper)",
    border: "var(--line)",
    transparent: true,
  } as never).replace(/@import url\([^)]*\);?/g, ""); // it would ask a host of fonts
  drawn.set(source, svg);
  return svg;
}
