/**
 * @file A diagram that was drawn when the page was compiled.
 * @original
 */
import type { ReactNode } from "react";

export function Diagram({ svg, title }: { readonly svg?: string; readonly title?: string }): ReactNode {
  return (
    <figure className="diagram">
      <div
        className="diagram-scroll"
        tabIndex={0}
        role="region"
        aria-label={title ?? "Diagram"}
        // biome-ignore lint/security/noDangerouslySetInnerHtml: our own drawing, made by site/diagrams.ts
        dangerouslySetInnerHTML={{ __html: svg ?? "" }}
      />
      {title !== undefined && <figcaption>{title}</figcaption>}
    </figure>
  );
}
