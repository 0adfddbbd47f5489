/**
 * @file The editor: one document a file, its undo history kept while another is shown; marks the lines that failed.
 * @original
 */
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { typescriptLanguage } from "@codemirror/lang-javascript";
import { bracketMatching, HighlightStyle, indentOnInput, indentUnit, syntaxHighlighting } from "@codemirror/language";
import { type Diagnostic, lintGutter, setDiagnostics } from "@codemirror/lint";
import { highlightSelectionMatches, searchKeymap } from "@codemirror/search";
import { EditorState, type Extension, Prec, StateEffect, StateField } from "@codemirror/state";
import {
  Decoration,
  type DecorationSet,
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  keymap,
  lineNumbers,
  WidgetType,
} from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { type ReactNode, useEffect, useRef } from "react";
import type { Way } from "./ways.ts";

export interface Mark {
  readonly line: number;
  readonly column: number;
  readonly severity: "error" | "warning";
  readonly message: string;
}

interface EditorProps {
  readonly file: string;
  readonly text: string;
  readonly marks: readonly Mark[];
  /** Where to go: a new object moves the cursor, and takes the focus unless it says otherwise. */
  readonly goTo: { readonly line: number; readonly focus?: boolean } | null;
  /** The language of Python's files, where there are some. */
  readonly python?: Extension;
  /** The line at which the reader stands who steps through the program. */
  readonly stepLine?: number | null;
  /** Calls of each line, to be shown below it. */
  readonly ways?: readonly Way[];
  readonly onWay?: (way: Way) => void;
  /** Is told the line of the cursor. */
  readonly onCursor?: (line: number) => void;
  readonly onChange: (text: string) => void;
  readonly onRun: () => void;
}

const color = (name: string): string => `var(--gtv-code-token-${name})`;

/** The viewer's colours. */
const style = HighlightStyle.define([
  { tag: [tags.comment, tags.meta], color: color("comment") },
  { tag: [tags.keyword, tags.operatorKeyword, tags.modifier, tags.definitionKeyword], color: color("keyword") },
  { tag: [tags.string, tags.regexp, tags.special(tags.string)], color: color("string") },
  { tag: [tags.number, tags.bool, tags.null, tags.atom, tags.self], color: color("constant") },
  { tag: [tags.function(tags.variableName), tags.function(tags.propertyName)], color: color("function") },
  { tag: [tags.typeName, tags.className, tags.namespace], color: color("function") },
  { tag: [tags.punctuation, tags.operator, tags.bracket], color: color("punctuation") },
]);

const setStep = StateEffect.define<number | null>();

/** Marks the line of the step. */
const stepField = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update: (marks, { effects, changes, newDoc }) => {
    for (const effect of effects)
      if (effect.is(setStep)) {
        const line = effect.value;
        if (line === null || line < 1 || line > newDoc.lines) return Decoration.none;
        return Decoration.set(Decoration.line({ class: "cm-step" }).range(newDoc.line(line).from));
      }
    return marks.map(changes);
  },
  provide: (field) => EditorView.decorations.from(field),
});

interface Ways {
  readonly ways: readonly Way[];
  readonly onWay: (way: Way) => void;
}

const setWays = StateEffect.define<Ways>();
/** Operators named below a line. */
const NAMED = 3;

class WayWidget extends WidgetType {
  private readonly way: Way;
  private readonly onWay: (way: Way) => void;
  private readonly indent: number;

  constructor(way: Way, onWay: (way: Way) => void, indent: number) {
    super();
    this.way = way;
    this.onWay = onWay;
    this.indent = indent;
  }

  override eq(other: WayWidget): boolean {
    return JSON.stringify([this.way, this.indent]) === JSON.stringify([other.way, other.indent]);
  }

  override toDOM(): HTMLElement {
    const { line, operators, steps, times } = this.way;
    const button = document.createElement("button");
    button.type = "button";
    button.className = "cm-way";
    button.style.marginLeft = `${this.indent}ch`;
    const named = operators.slice(0, NAMED).join(", ") + (operators.length > NAMED ? ", …" : "");
    const often = times > 1 ? `${times} times · ` : "";
    button.textContent = `↳ ${named === "" ? "" : `${named} · `}${often}${steps} step${steps === 1 ? "" : "s"}`;
    button.setAttribute("aria-label", `The way of line ${line}: ${button.textContent.slice(2)}`);
    button.onclick = () => this.onWay(this.way);
    return button;
  }

  override ignoreEvent(): boolean {
    return true;
  }
}

/** A button below each line that called the library. A line that is edited loses its own. */
const wayField = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update: (marks, { effects, changes, newDoc }) => {
    for (const effect of effects)
      if (effect.is(setWays)) {
        const { ways, onWay } = effect.value;
        const there = ways.filter(({ line }) => line >= 1 && line <= newDoc.lines).sort((a, b) => a.line - b.line);
        return Decoration.set(
          there.map((way) => {
            const { to, text } = newDoc.line(way.line);
            const widget = new WayWidget(way, onWay, /^\s*/.exec(text)?.[0].length ?? 0);
            return Decoration.widget({ widget, block: true, side: 1 }).range(to);
          }),
        );
      }
    return marks.map(changes);
  },
  provide: (field) => EditorView.decorations.from(field),
});

const NO_WAYS: readonly Way[] = [];

export function Editor(props: EditorProps): ReactNode {
  const { file, text, marks, goTo, stepLine = null, ways = NO_WAYS, onWay, onChange, onRun, onCursor } = props;
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView | null>(null);
  const states = useRef(new Map<string, EditorState>());
  const shown = useRef(file);
  const calls = useRef<Calls>({ onChange, onRun, onCursor });
  calls.current = { onChange, onRun, onCursor };
  const begin = (): EditorState => stateOf(file, text, calls, props.python);

  // biome-ignore lint/correctness/useExhaustiveDependencies: the view lives as long as the component
  useEffect(() => {
    const made = new EditorView({
      parent: host.current as HTMLElement,
      state: begin(),
    });
    view.current = made;
    return () => made.destroy();
  }, []);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new text of the same file is the next effect's
  useEffect(() => {
    const now = view.current;
    if (now === null || shown.current === file) return;
    states.current.set(shown.current, now.state);
    shown.current = file;
    now.setState(states.current.get(file) ?? begin());
  }, [file]);

  useEffect(() => {
    const now = view.current;
    if (now === null || now.state.doc.toString() === text) return;
    now.dispatch({ changes: { from: 0, to: now.state.doc.length, insert: text } });
  }, [text]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: another file has another text to mark
  useEffect(() => {
    const now = view.current;
    if (now === null) return;
    const { doc } = now.state;
    const diagnostics = marks
      .filter(({ line }) => line >= 1 && line <= doc.lines)
      .map(({ line, column, severity, message }): Diagnostic => {
        const at = doc.line(line);
        const from = Math.min(at.to, at.from + Math.max(0, column - 1));
        return {
          from: column === 0 ? at.from + (/^\s*/.exec(at.text)?.[0].length ?? 0) : from,
          to: at.to,
          severity,
          message,
        };
      });
    now.dispatch(setDiagnostics(now.state, diagnostics));
  }, [marks, file]);

  useEffect(() => {
    const now = view.current;
    if (now === null || goTo === null) return;
    const line = now.state.doc.line(Math.max(1, Math.min(goTo.line, now.state.doc.lines)));
    now.dispatch({ selection: { anchor: line.from }, effects: EditorView.scrollIntoView(line.from, { y: "center" }) });
    if (goTo.focus !== false) now.focus();
  }, [goTo]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: another file has other lines
  useEffect(() => {
    view.current?.dispatch({ effects: setWays.of({ ways, onWay: onWay ?? (() => {}) }) });
  }, [ways, onWay, file]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: another file has other lines
  useEffect(() => {
    const now = view.current;
    if (now === null) return;
    const { doc } = now.state;
    const there = stepLine !== null && stepLine >= 1 && stepLine <= doc.lines;
    const scroll = there ? [EditorView.scrollIntoView(doc.line(stepLine).from, { yMargin: 60 })] : [];
    now.dispatch({ effects: [setStep.of(stepLine), ...scroll] });
  }, [stepLine, file]);

  return <div ref={host} className="pg-editor" />;
}

type Calls = Pick<EditorProps, "onChange" | "onRun"> & { readonly onCursor: EditorProps["onCursor"] };

function stateOf(
  file: string,
  text: string,
  calls: { readonly current: Calls },
  python: Extension | undefined,
): EditorState {
  const isPython = file.endsWith(".py");
  const runProgram = (): boolean => {
    calls.current.onRun();
    return true;
  };
  return EditorState.create({
    doc: text,
    extensions: [
      Prec.highest(keymap.of([{ key: "Mod-Enter", run: runProgram }])),
      lineNumbers(),
      lintGutter(),
      history(),
      drawSelection(),
      indentOnInput(),
      indentUnit.of(isPython ? "    " : "  "),
      bracketMatching(),
      highlightActiveLine(),
      highlightActiveLineGutter(),
      highlightSelectionMatches(),
      EditorView.lineWrapping,
      // Tab is left to the page: the editor is no trap for the keyboard.
      keymap.of([...defaultKeymap, ...searchKeymap, ...historyKeymap]),
      file.endsWith(".ts") ? typescriptLanguage : isPython && python !== undefined ? python : [],
      stepField,
      wayField,
      syntaxHighlighting(style),
      EditorView.contentAttributes.of({ "aria-label": `Text of ${file}`, tabindex: "0" }),
      EditorView.updateListener.of((update) => {
        if (update.docChanged) calls.current.onChange(update.state.doc.toString());
        if (update.selectionSet || update.docChanged)
          calls.current.onCursor?.(update.state.doc.lineAt(update.state.selection.main.head).number);
      }),
    ],
  });
}
