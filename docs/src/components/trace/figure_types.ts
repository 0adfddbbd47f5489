/**
 * @file The form in which a page holds a trace before anything else is loaded. Made by site/figure.ts.
 * @original
 */

export interface FigureStep {
  /** Id of the event in the recording. */
  readonly id: number;
  readonly kind: string;
  /** Position in `Figure.lanes`, and the sub-row within the lane. */
  readonly lane: number;
  readonly row: number;
  /** Left edge and width, in percent of the figure. */
  readonly x: number;
  readonly w: number;
  readonly depth: number;
  /** First step that is not below this one. */
  readonly end: number;
  /** PyTorch's symbol; without what the lane says; with the one thing worth knowing. */
  readonly name: string;
  readonly short: string;
  readonly label: string;
  /** Steps below this one that only the whole recording has. */
  readonly inside?: number;
  readonly file?: string;
  /** The file is the recorded program's, not one of ours. */
  readonly program?: true;
  readonly line?: number;
  /** Position in `Figure.excerpts`, and the line of the file to look at. */
  readonly excerpt?: number;
  readonly at?: number;
  readonly upstream?: {
    readonly path: string;
    readonly url: string;
    readonly search?: string;
    readonly symbol: string | null;
  };
  readonly choice?: {
    readonly op: string;
    readonly how: string;
    readonly keyset: readonly string[];
    readonly key: string;
    readonly kernel: string;
    readonly origin: string;
  };
  /** Details of the event, in words. */
  readonly told?: string;
  readonly inputs?: readonly string[];
  readonly outputs?: readonly string[];
}

export interface Excerpt {
  /** First line in the file. */
  readonly from: number;
  /** The function goes on below. */
  readonly cut: boolean;
  readonly html: readonly string[];
}

/** The recorded program, coloured, one string for each line. */
export interface FigureProgram {
  /** Absent where a line of it has no Python. */
  readonly python?: readonly string[];
  readonly typescript: readonly string[];
}

export interface Figure {
  readonly of: string;
  readonly record: string;
  readonly title: string;
  readonly note: string;
  readonly torch: string;
  /** Steps of the whole recording. */
  readonly count: number;
  readonly lanes: readonly { readonly lane: string; readonly rows: number }[];
  readonly steps: readonly FigureStep[];
  readonly excerpts: readonly Excerpt[];
  readonly program?: FigureProgram;
}
