/**
 * @file Buttons for moving between steps, with their keys, and a slider over all steps.
 * @original
 */
import type { ReactNode } from "react";
import type { Move } from "../model/projection.ts";

interface PlayBarProps {
  readonly step: number;
  readonly count: number;
  readonly playing: boolean;
  readonly onMove: (how: Move) => void;
  readonly onStep: (step: number) => void;
  readonly onPlay: (on: boolean) => void;
}

const ways: readonly { readonly how: Move; readonly name: string; readonly key: string; readonly title: string }[] = [
  { how: "back", name: "back", key: "←", title: "One step back" },
  { how: "next", name: "step", key: "→", title: "One step on" },
  { how: "into", name: "in", key: "↓", title: "Into this call" },
  { how: "out", name: "out", key: "↑", title: "Out to the caller" },
  { how: "over", name: "over", key: "⇧→", title: "Over this call (back: Shift and ←)" },
  {
    how: "nextDispatch",
    name: "next dispatch",
    key: "d",
    title: "On to the next stop at the dispatcher (back: Shift and d)",
  },
];

export function PlayBar({ step, count, playing, onMove, onStep, onPlay }: PlayBarProps): ReactNode {
  return (
    <div className="gtv-play" role="group" aria-label="Stepping">
      <button
        type="button"
        className="gtv-go"
        title="Play (space)"
        aria-pressed={playing}
        onClick={() => onPlay(!playing)}
      >
        {playing ? "❚❚" : "▶"}
        <span className="gtv-hide">{playing ? "pause" : "play"}</span>
      </button>
      {ways.map(({ how, name, key, title }) => (
        <button key={how} type="button" title={title} onClick={() => onMove(how)}>
          <kbd>{key}</kbd> {name}
        </button>
      ))}
      <input
        type="range"
        aria-label="Step"
        aria-valuetext={`${step + 1} of ${count}`}
        min={0}
        max={Math.max(count - 1, 1)}
        value={step}
        style={{ "--done": count > 1 ? step / (count - 1) : 0 } as object}
        onChange={(event) => onStep(Number(event.target.value))}
      />
    </div>
  );
}
