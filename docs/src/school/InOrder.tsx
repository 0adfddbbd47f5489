/**
 * @file An answer that is a row: each choice that is pressed comes behind those before it; pressed in the row, it goes.
 * @original
 */
import type { ReactNode } from "react";

interface InOrderProps {
  readonly choices: readonly string[];
  readonly answer: readonly string[];
  readonly onAnswer: (answer: readonly string[]) => void;
}

export function InOrder({ choices, answer, onAnswer }: InOrderProps): ReactNode {
  return (
    <>
      <ol className="school-row" aria-label="Your order">
        {answer.map((each, i) => (
          <li key={`${i} ${each}`}>
            <button
              type="button"
              aria-label={`Remove ${each} from place ${i + 1}`}
              onClick={() => onAnswer(answer.filter((_, j) => j !== i))}
            >
              <code>{each}</code>
              <span aria-hidden="true">×</span>
            </button>
          </li>
        ))}
        {answer.length === 0 && <li className="school-empty">press them in the right order</li>}
      </ol>
      <div className="school-offered">
        {choices.map((choice) => (
          <button key={choice} type="button" aria-label={`Add ${choice}`} onClick={() => onAnswer([...answer, choice])}>
            <code>{choice}</code>
          </button>
        ))}
      </div>
    </>
  );
}
