/**
 * @file An entry of the API reference: signatures, doc comment, our line, PyTorch's file.
 * @original
 */
import Link from "@docusaurus/Link";
import type { ApiItem } from "../../../site/api_model";
import type { ApiEntry, ApiGroup } from "../../../site/api_pages";
import { At, shorten, Theirs } from "./At";
import { withCode } from "./differs";
import styles from "./reference.module.css";

/** The names of a long group, to jump to. */
export function Names({ group }: { group: ApiGroup }) {
  return (
    <nav className={styles.names} aria-label={group.title}>
      {group.items.map((item) => (
        <a key={item.anchor} href={`#${item.anchor}`}>
          {item.name}
        </a>
      ))}
    </nav>
  );
}

/** Names with their types, and nothing else to say. */
export function Properties({ group }: { group: ApiGroup }) {
  const byType = new Map<string, string[]>();
  for (const item of group.items) {
    const type = item.signatures[0]?.split(": ")[1] ?? "";
    byType.set(type, [...(byType.get(type) ?? []), item.call]);
  }
  return (
    <dl className={styles.tagsOf}>
      {[...byType].map(([type, names]) => (
        <div key={type}>
          <dt>
            <code>{type}</code>
          </dt>
          <dd className={styles.nameList}>
            {names.map((name) => (
              <code key={name}>{name}</code>
            ))}
          </dd>
        </div>
      ))}
    </dl>
  );
}

export function Entry({ item }: { item: ApiEntry }) {
  return (
    <div className={styles.entry}>
      <Declaration item={item} />
      {item.members.length > 0 ? (
        <details className={styles.fold}>
          <summary>
            {item.members.length} {item.members.length === 1 ? "member" : "members"}:{" "}
            {item.members
              .slice(0, 4)
              .map((m) => m.name)
              .join(", ")}
            {item.members.length > 4 ? ", …" : ""}
          </summary>
          <div className={styles.members}>
            {item.members.map((member) => (
              <Declaration key={member.name} item={member} />
            ))}
          </div>
        </details>
      ) : null}
      <p className={styles.links}>
        <At file={item.file} line={item.line}>
          {shorten(item.file, item.line)}
        </At>
        {item.mirrors === "" ? null : (
          <span>
            PyTorch: <Theirs path={item.mirrors} />
          </span>
        )}
        {item.operator === null ? null : <Link to={`/operators/${item.operator}/`}>where it is</Link>}
      </p>
    </div>
  );
}

function Declaration({ item }: { item: ApiItem }) {
  const { doc } = item;
  const tags: [string, string][] = [
    ...doc.params.map((p): [string, string] => [p.name, p.text]),
    ...(doc.returns === "" ? [] : ([["gives", doc.returns]] as [string, string][])),
    ...doc.throws.map((t): [string, string] => ["throws", t.replace(/^\{(\w+)\}\s*/, "$1: ")]),
  ];
  return (
    <>
      <pre className={styles.signature}>
        {item.signatures.map((signature) => {
          const end = /^(?:new |class )?[\w$]+/.exec(signature)?.[0].length ?? 0;
          return (
            <div key={signature}>
              <b>{signature.slice(0, end)}</b>
              {signature.slice(end)}
            </div>
          );
        })}
      </pre>
      {doc.text === "" ? null : doc.text.split("\n\n").map((p) => <p key={p}>{withCode(p)}</p>)}
      {tags.length === 0 ? null : (
        <dl className={styles.tagsOf}>
          {tags.map(([name, text]) => (
            <div key={name + text}>
              <dt>{name === "gives" || name === "throws" ? name : <code>{name}</code>}</dt>
              <dd>{withCode(text)}</dd>
            </div>
          ))}
        </dl>
      )}
      {doc.examples.map((example) => (
        <pre key={example} className={styles.example}>
          {example}
        </pre>
      ))}
    </>
  );
}
