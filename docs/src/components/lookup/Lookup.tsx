/**
 * @file The box of /lookup: a word, a symbol or a whole stack trace goes in; what each is, our line and PyTorch's file come out.
 * @original
 */
import Link from "@docusaurus/Link";
import useBaseUrl from "@docusaurus/useBaseUrl";
import { type KeyboardEvent, useCallback, useEffect, useId, useMemo, useRef, useState } from "react";
import {
  type Answer,
  answerOf,
  capital,
  type Found,
  type FoundAnswer,
  folded,
  Lookup as Index,
  type LineAnswer,
  type LookupIndex,
  type LookupOperator,
  type Part,
} from "../../../../tools/explain/lookup";
import type { Paragraph } from "../../../../tools/explain/paragraphs";
import type {
  FileAnswer,
  TheirIndex,
  Theirs as TheirName,
  TheirOperatorAnswer,
} from "../../../../tools/explain/theirs";
import { At, shorten, Theirs } from "../reference/At";
import styles from "./lookup.module.css";

interface Example {
  readonly name: string;
  readonly text: string;
}

const WORDS: readonly string[] = [
  "prelu",
  "torch.add(x, y)",
  "wrapper_CPU__view",
  "THPVariable_add",
  "AddBackward0",
  "at::_ops::view::redispatch",
];

const YAML = "src/aten/native/native_functions.yaml";

export function Lookup({ examples }: { examples: readonly Example[] }) {
  const url = useBaseUrl("/generated/lookup.json");
  const theirUrl = useBaseUrl("/generated/pytorch.json");
  const [index, setIndex] = useState<Index | null>(null);
  // Counts up when PyTorch's names have come: the answer is asked for again.
  const [complete, setComplete] = useState(0);
  const asking = useRef(false);
  const [failed, setFailed] = useState(false);
  const [text, setText] = useState("");
  const [open, setOpen] = useState(false);
  const [chosen, setChosen] = useState(-1);
  const box = useRef<HTMLTextAreaElement>(null);
  const id = useId();

  useEffect(() => {
    let gone = false;
    fetch(url)
      .then((response) => response.json() as Promise<LookupIndex>)
      .then((file) => {
        if (!gone) setIndex(new Index(file));
      })
      .catch(() => {
        if (!gone) setFailed(true);
      });
    return () => {
      gone = true;
    };
  }, [url]);

  // What is recorded of PyTorch is fetched at the first question; until it is here, ours answers alone.
  useEffect(() => {
    if (index === null || index.isComplete || asking.current || text.trim() === "") return;
    asking.current = true;
    fetch(theirUrl)
      .then((response) => response.json() as Promise<TheirIndex>)
      .then((file) => {
        index.add(file);
        setComplete((n) => n + 1);
      })
      .catch(() => setFailed(true));
  }, [index, text, theirUrl]);

  // The address holds the question, so that an answer can be sent to somebody.
  useEffect(() => {
    const read = (): void => {
      // `?q=`: from the box on the first page.
      const asked =
        new URLSearchParams(location.hash.slice(1)).get("q") ?? new URLSearchParams(location.search).get("q");
      if (asked !== null) setText(asked);
    };
    read();
    addEventListener("hashchange", read);
    return () => removeEventListener("hashchange", read);
  }, []);
  const address = useCallback((asked: string) => {
    history.replaceState(
      history.state,
      "",
      asked.trim() === "" ? location.pathname : `#q=${encodeURIComponent(asked)}`,
    );
  }, []);
  const ask = useCallback(
    (asked: string) => {
      setText(asked);
      setChosen(-1);
      // A trace may hold paths of its owner's: it goes into the address, and so into the history, only when they say so.
      address(asked.includes("\n") ? "" : asked);
    },
    [address],
  );

  // biome-ignore lint/correctness/useExhaustiveDependencies: the index is the same object when PyTorch's names are added to it
  const answer = useMemo(
    () => (index === null || text.trim() === "" ? null : index.answer(text)),
    [index, text, complete],
  );
  const isLong = text.includes("\n");
  const suggestions = useMemo(
    () =>
      index === null || isLong || text.trim().length < 2
        ? []
        : index.suggest(lastWord(text)).filter((s) => s !== text.trim()),
    [index, text, isLong],
  );
  const shown = open && suggestions.length > 0;

  const take = (name: string): void => {
    ask(name);
    setOpen(false);
    box.current?.focus();
  };
  const keys = (event: KeyboardEvent): void => {
    if (isLong) return;
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      if (suggestions.length === 0) return;
      event.preventDefault();
      setOpen(true);
      const step = event.key === "ArrowDown" ? 1 : -1;
      setChosen((now) => (now + step + suggestions.length + 1) % (suggestions.length + 1));
    } else if (event.key === "Enter" && !event.shiftKey) {
      event.preventDefault();
      const name = shown ? suggestions[chosen] : undefined;
      if (name !== undefined) take(name);
      setOpen(false);
    } else if (event.key === "Escape") {
      setOpen(false);
      setChosen(-1);
    }
  };

  return (
    <div className={styles.lookup}>
      <label htmlFor={`${id}box`}>An operator, a call, a symbol, or a whole stack trace</label>
      <div className={styles.field}>
        <textarea
          id={`${id}box`}
          ref={box}
          value={text}
          rows={Math.min(Math.max(text.split("\n").length, 1), 14)}
          className={isLong ? styles.long : undefined}
          placeholder="paste here"
          spellCheck={false}
          autoComplete="off"
          autoCapitalize="off"
          aria-autocomplete="list"
          aria-controls={shown ? `${id}list` : undefined}
          aria-activedescendant={shown && chosen >= 0 && chosen < suggestions.length ? `${id}${chosen}` : undefined}
          onChange={(event) => {
            ask(event.target.value);
            setOpen(true);
          }}
          onKeyDown={keys}
          onBlur={() => setOpen(false)}
        />
        {shown ? (
          // A listbox of options as ARIA draws it: the focus stays in the text, which names the chosen option.
          <div id={`${id}list`} role="listbox" aria-label="Names that contain this" className={styles.suggestions}>
            {suggestions.map((name, i) => (
              <div
                key={name}
                id={`${id}${i}`}
                role="option"
                tabIndex={-1}
                aria-selected={i === chosen}
                // Before the box loses focus, which closes the list.
                onMouseDown={(event) => {
                  event.preventDefault();
                  take(name);
                }}
              >
                {name}
              </div>
            ))}
          </div>
        ) : null}
      </div>
      {isLong ? (
        <p className={styles.examples}>
          <button type="button" onClick={() => address(text)}>
            Put this trace into the address
          </button>
        </p>
      ) : null}
      <p className={styles.examples}>
        Try{" "}
        {WORDS.map((word) => (
          <button key={word} type="button" onClick={() => take(word)}>
            <code>{word}</code>
          </button>
        ))}
        {examples.map((example) => (
          <button key={example.name} type="button" onClick={() => take(example.text)}>
            {example.name}
          </button>
        ))}
      </p>
      <div aria-live="polite" className={styles.answer}>
        {failed ? <p>The index could not be loaded. Reload the page to try again.</p> : null}
        {answer === null ? null : <AnswerView answer={answer} ask={take} query={text} />}
      </div>
    </div>
  );
}

/** The word that is being typed: the last name of `torch.add(x, pre`. */
function lastWord(text: string): string {
  return /[\w:~.]+$/.exec(text.trim())?.[0].replace(/^.*\./, "") ?? text;
}

function AnswerView({ answer, ask, query }: { answer: Answer; ask: (name: string) => void; query: string }) {
  if (answer.what === "trace") return <TraceView lines={answer.lines} />;
  if (answer.what !== "nothing")
    return (
      <>
        {answer.taken === undefined ? null : (
          <p className={styles.count}>
            About <code>{answer.taken}</code>, from your question:
          </p>
        )}
        {answer.parts.map((part, i) => (
          <PartView key={part} part={part} answer={answer} isFirst={i === 0} />
        ))}
      </>
    );
  return (
    <div>
      <p>
        Nothing here or in PyTorch is called <code>{query.trim().slice(0, 80)}</code>.
        {answer.near.length === 0 ? null : " Similar names:"}
      </p>
      <p className={styles.examples}>
        {answer.near.map((name) => (
          <button key={name} type="button" onClick={() => ask(name)}>
            <code>{name}</code>
          </button>
        ))}
      </p>
    </div>
  );
}

const HEADINGS: { readonly [part in Part]: string } = {
  operators: "Operators",
  unbuilt: "Operators of PyTorch that are not built here",
  symbols: "Functions and classes of that name",
  theirs: "In PyTorch",
  files: "Files and folders",
  paragraphs: "Explained on",
  word: "",
};

/** One part of an answer; the first needs no heading. */
function PartView({ part, answer, isFirst }: { part: Part; answer: FoundAnswer; isFirst: boolean }) {
  if (part === "word") return isFirst ? <p>{capital(answer.word)}.</p> : null;
  return (
    <>
      {isFirst ? null : <h2>{HEADINGS[part]}</h2>}
      {part === "operators" ? answer.operators.slice(0, 12).map((o) => <Operator key={o.name} of={o} />) : null}
      {part === "unbuilt" ? answer.unbuilt.slice(0, 12).map((o) => <Unbuilt key={o.name} of={o} />) : null}
      {part === "symbols" ? <Symbols list={answer.symbols} /> : null}
      {part === "theirs" ? answer.theirs.slice(0, 12).map((t) => <TheirSymbol key={t.symbol + t.kind} of={t} />) : null}
      {part === "files" ? answer.files.slice(0, 12).map((f) => <File key={f.path} of={f} />) : null}
      {part === "paragraphs" ? answer.paragraphs.slice(0, 6).map((p) => <Told key={p.route} of={p} />) : null}
    </>
  );
}

function Operator({ of: o }: { of: LookupOperator }) {
  return (
    <section className={styles.operator}>
      <h2>
        <Link to={`/operators/${o.base}/`}>
          <code>aten::{o.name}</code>
        </Link>
      </h2>
      <p className={styles.schema}>
        <code>{o.schema}</code>
      </p>
      <p>{o.sentence.replaceAll("`", "")}</p>
      <p className={styles.places}>
        {o.kernel === null ? null : (
          <>
            <span>
              ours{" "}
              <At file={o.kernel.file} line={o.kernel.line}>
                <code>{o.kernel.name}</code> {shorten(o.kernel.file, o.kernel.line)}
              </At>
            </span>
            {o.kernel.mirrors === "" ? null : (
              <span>
                PyTorch <Theirs path={o.kernel.mirrors} />
              </span>
            )}
          </>
        )}
        <span>
          YAML <At file={YAML} line={o.line} />
        </span>
        <Link to={`/operators/${o.base}/`}>everything about it</Link>
      </p>
    </section>
  );
}

function Unbuilt({ of: o }: { of: TheirOperatorAnswer }) {
  return (
    <section className={styles.operator}>
      <h3>
        <code>aten::{o.name}</code>
      </h3>
      <p className={styles.schema}>
        <code>{o.schema}</code>
      </p>
      <p>Not built here.{o.delegate === null ? "" : ` Structured: the kernel of aten::${o.delegate} serves it.`}</p>
      <p className={styles.places}>
        <span>
          YAML, line {o.line} <Theirs path="aten/src/ATen/native/native_functions.yaml" />
        </span>
        {o.kernels.map((kernel) => (
          <span key={kernel.keys}>
            {kernel.keys} <code>{kernel.symbol}</code>{" "}
            {kernel.paths.map((path) => (
              <Theirs key={path} path={path} />
            ))}
          </span>
        ))}
      </p>
    </section>
  );
}

function TheirSymbol({ of: t }: { of: TheirName }) {
  return (
    <section className={styles.operator}>
      <h3>
        <code>{t.symbol}</code>
      </h3>
      <p>{capital(t.kind)}.</p>
      <TheirPlaces paths={t.paths} ours={t.ours} />
    </section>
  );
}

function File({ of: f }: { of: FileAnswer }) {
  return (
    <section className={styles.operator}>
      <TheirPlaces paths={[f.path]} ours={f.ours} />
    </section>
  );
}

function TheirPlaces({ paths, ours }: { paths: readonly string[]; ours: readonly string[] }) {
  return (
    <p className={styles.places}>
      {paths.map((path) => (
        <span key={path}>
          PyTorch <Theirs path={path} />
        </span>
      ))}
      {ours.length === 0 ? <span>not built here</span> : null}
      {ours.slice(0, 8).map((file) => (
        <span key={file}>ours {/\.\w+$/.test(file) ? <At file={file} /> : <code>{file}/</code>}</span>
      ))}
    </p>
  );
}

function Told({ of: p }: { of: Paragraph }) {
  return (
    <section className={styles.operator}>
      <h3>
        <Link to={p.route}>{p.title}</Link>
      </h3>
      <p>{p.tip}</p>
    </section>
  );
}

function Symbols({ list }: { list: readonly Found[] }) {
  return (
    <>
      {list.slice(0, 12).map((found) => (
        <section key={`${found.ours.file}:${found.ours.line}`} className={styles.operator}>
          <h3>
            <code>{found.symbol.replace("(anonymous namespace)::", "")}</code>
          </h3>
          {found.kind === "" ? null : <p>{capital(found.kind)}.</p>}
          <Places found={found} />
        </section>
      ))}
      {list.length > 12 ? <p>and {list.length - 12} more with this name.</p> : null}
    </>
  );
}

function Places({ found }: { found: Found }) {
  return (
    <p className={styles.places}>
      <span>
        ours <At file={found.ours.file} line={found.ours.line} />
      </span>
      {found.mirrors === "" ? null : (
        <span>
          {found.isOurs ? "ours; stands for" : "PyTorch"} <Theirs path={found.mirrors} />
        </span>
      )}
      {found.from === null ? null : (
        <span>
          made from{" "}
          <At file={found.from.file} line={found.from.line}>
            {found.from.entry}
          </At>
        </span>
      )}
      {found.generator === null ? null : (
        <span>
          by <At file={found.generator} />
        </span>
      )}
    </p>
  );
}

function TraceView({ lines }: { lines: readonly LineAnswer[] }) {
  const found = lines.filter((line) => line.found !== null).length;
  const answer = answerOf(lines);
  return (
    <>
      <p className={styles.count}>
        {lines.length} lines, {found} with a function that exists here.
        {answer === null ? "" : " The innermost function that is here is marked."}
      </p>
      <ol className={styles.trace}>
        {folded(lines).map(({ lines, what }, i) =>
          what === null ? (
            lines.map((line) => <Frame key={i} answer={line} isAnswer={line === answer} />)
          ) : (
            <li key={i} className={styles.foreign}>
              <details>
                <summary>
                  {lines.length} lines: {what}
                </summary>
                <ol className={styles.trace}>
                  {lines.map((line, k) => (
                    <Frame key={k} answer={line} isAnswer={false} />
                  ))}
                </ol>
              </details>
            </li>
          ),
        )}
      </ol>
    </>
  );
}

function Frame({ answer, isAnswer }: { answer: LineAnswer; isAnswer: boolean }) {
  const kind = answer.found === null ? styles.foreign : isAnswer ? styles.marked : undefined;
  return (
    <li className={kind}>
      <code>{frameText(answer)}</code>
      {isAnswer ? <strong className={styles.mark}>it happened here</strong> : null}
      {answer.kind === "" ? null : <p>{capital(answer.kind)}.</p>}
      {answer.found === null ? null : <Places found={answer.found} />}
      {answer.theirs === null ? null : <TheirPlaces paths={answer.theirs.paths} ours={answer.theirs.ours} />}
    </li>
  );
}

/** The frame's number and name; of a line that names nothing, the line. */
function frameText({ line }: LineAnswer): string {
  const number = /#\d+/.exec(line.text)?.[0] ?? "";
  if (line.python !== null) return `${number} ${line.python.name}  ${line.python.file}:${line.python.line}`.trim();
  if (line.symbol !== null) return `${number} ${line.symbol}`.trim();
  return line.text.trim();
}
