/**
 * @file A file of answers as a form: something to choose, or a line to write, under each question.
 * @original
 */
import type { ReactNode } from "react";
import type { Predict } from "../../../tools/learn/exercise.ts";
import type { Checked } from "../playground/engine/checking.ts";
import { answerIn, type Question, questionsIn, withAnswer } from "./answers.ts";
import { InOrder } from "./InOrder.tsx";

interface QuestionsProps {
  /** The file as it begins: it has the questions. */
  readonly stub: string;
  readonly text: string;
  readonly checks: readonly { readonly id: string; readonly spec: Predict }[];
  readonly checked: Checked | null;
  readonly onChange: (text: string) => void;
}

export function Questions({ stub, text, checks, checked, onChange }: QuestionsProps): ReactNode {
  const { preface, questions } = questionsIn(stub);
  return (
    <div className="school-questions">
      <p className="school-preface">
        {preface} In a clone of the repository these questions are in the file <code>answers.yaml</code>.
      </p>
      <ol>
        {questions.map((question) => {
          const check = checks.find(({ spec }) => spec.answer === question.name);
          if (check === undefined) return null;
          return (
            <li key={question.name} className={markOf(check.id, checked)}>
              <One
                question={question}
                spec={check.spec}
                answer={answerIn(text, question.name)}
                onAnswer={(answer) =>
                  onChange(withAnswer(text, question.name, answer, (check.spec.pick ?? "one") !== "one"))
                }
              />
            </li>
          );
        })}
      </ol>
    </div>
  );
}

function markOf(id: string, checked: Checked | null): string {
  const { passed = [], failure = null } = checked?.report ?? {};
  if (passed.includes(id)) return "good";
  return failure?.check === id ? (failure.seen === "(no answer)" ? "awaited" : "bad") : "open";
}

interface OneProps {
  readonly question: Question;
  readonly spec: Predict;
  readonly answer: readonly string[];
  readonly onAnswer: (answer: readonly string[]) => void;
}

function One({ question: { name, text, more }, spec, answer, onAnswer }: OneProps): ReactNode {
  return (
    <fieldset data-answer={name}>
      <legend>{text}</legend>
      {more !== "" && <pre>{more}</pre>}
      <Control name={name} label={text} spec={spec} answer={answer} onAnswer={onAnswer} />
    </fieldset>
  );
}

interface ControlProps extends Omit<OneProps, "question"> {
  readonly name: string;
  readonly label: string;
}

function Control({ name, label, spec: { choices, pick = "one" }, answer, onAnswer }: ControlProps): ReactNode {
  if (choices === undefined)
    return (
      <input
        type="text"
        aria-label={label}
        value={answer.join(", ")}
        autoCapitalize="off"
        autoComplete="off"
        spellCheck={false}
        onChange={({ target }) => onAnswer(target.value === "" ? [] : [target.value])}
      />
    );
  if (pick === "order") return <InOrder choices={choices} answer={answer} onAnswer={onAnswer} />;
  const several = pick === "some";
  const chosen = (choice: string): readonly string[] =>
    !several ? [choice] : choices.filter((each) => (each === choice ? !answer.includes(each) : answer.includes(each)));
  return (
    <div className="school-choices">
      {choices.map((choice) => (
        <label key={choice}>
          <input
            type={several ? "checkbox" : "radio"}
            name={name}
            checked={answer.includes(choice)}
            onChange={() => onAnswer(chosen(choice))}
          />
          <code>{choice}</code>
        </label>
      ))}
    </div>
  );
}
