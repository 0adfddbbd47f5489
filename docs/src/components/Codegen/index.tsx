/**
 * @file `<Codegen example={…} />`: a YAML entry, a template with holes, and what the entry puts into them, side by side. Made while the real
 * generator ran (site/codegen_example.ts).
 * @original
 */
import clsx from "clsx";
import { type ReactNode, useState } from "react";
import { name_of } from "../../../../tools/codegen/module_path.ts";
import type { CodegenExample, FilledTemplate } from "../../../site/codegen_example";
import { At, Theirs } from "../reference/At";
import styles from "./styles.module.css";

export function Codegen({ example }: { readonly example: CodegenExample }): ReactNode {
  // The one that readers search for: what Python calls.
  const [chosen, setChosen] = useState(() =>
    Math.max(
      example.templates.findIndex(({ output }) => output.includes("python_torch_functions")),
      0,
    ),
  );
  const [hole, setHole] = useState<string | null>(null);
  const filled = example.templates[chosen] as FilledTemplate;
  return (
    <figure className={`${styles.codegen} no-search`}>
      <figcaption>
        <b>The generated code of the entry</b>, template by template:
        <span className={styles.choices} role="group" aria-label="Template">
          {example.templates.map((each, i) => (
            <button
              key={`${each.template} ${each.output}`}
              type="button"
              className="trace-button"
              aria-pressed={i === chosen}
              onClick={() => {
                setChosen(i);
                setHole(null);
              }}
            >
              {name_of(each.output)}
            </button>
          ))}
        </span>
      </figcaption>
      <div className={styles.columns}>
        <section aria-label="The entry">
          <h4>The entry</h4>
          <Block lines={example.yaml} />
          {filled.holes.some((h) => h.filled.some((line) => line.includes("derivatives.yaml#"))) && (
            <Block lines={example.derivative} />
          )}
        </section>
        <section aria-label="The template">
          <h4>
            <At file={filled.template}>{name_of(filled.template)}</At>
            {filled.upstream !== "" && (
              <small>
                PyTorch: <Theirs path={filled.upstream}>{name_of(filled.upstream)}</Theirs>
              </small>
            )}
          </h4>
          <pre className={styles.block} tabIndex={0} role="region" aria-label="Template">
            <code>
              {filled.lines.map(({ html, hole: own }, i) => {
                const takes = filled.holes.some((h) => h.name === own);
                return (
                  // biome-ignore lint/a11y/noStaticElementInteractions: a light for the eye; what goes in stands beside it
                  <span
                    key={`${i + 1}`}
                    className={clsx(
                      own !== undefined && styles.hole,
                      takes && styles.takes,
                      own === hole && styles.lit,
                    )}
                    onMouseEnter={takes ? () => setHole(own ?? null) : undefined}
                    onMouseLeave={takes ? () => setHole(null) : undefined}
                    // biome-ignore lint/security/noDangerouslySetInnerHtml: coloured by site/figure.ts
                    dangerouslySetInnerHTML={{ __html: `${html}\n` }}
                  />
                );
              })}
            </code>
          </pre>
        </section>
        <section aria-label="Text for the placeholders">
          <h4>
            <At file={filled.output}>{name_of(filled.output)}</At>
          </h4>
          {filled.holes.map(({ name, filled: lines, others }) => (
            // biome-ignore lint/a11y/noStaticElementInteractions: a light for the eye
            <div
              key={name}
              className={clsx(styles.filled, name === hole && styles.lit)}
              onMouseEnter={() => setHole(name)}
              onMouseLeave={() => setHole(null)}
            >
              <p>
                <code>{`\${${name}}`}</code>
                {others === 0 ? "" : ` and there ${others === 1 ? "is one other entry" : `are ${others} others`} in it`}
              </p>
              <Block lines={lines} />
            </div>
          ))}
        </section>
      </div>
    </figure>
  );
}

function Block({ lines }: { readonly lines: readonly string[] }): ReactNode {
  return (
    <pre className={styles.block} tabIndex={0} role="region" aria-label="Code">
      <code>
        {lines.map((html, i) => (
          // biome-ignore lint/security/noDangerouslySetInnerHtml: coloured by site/figure.ts
          <span key={`${i + 1}`} dangerouslySetInnerHTML={{ __html: `${html}\n` }} />
        ))}
      </code>
    </pre>
  );
}
