/**
 * @file A small grammar of English, in which many a word is noun, verb or adjective by its place.
 * @original In Python: gallery/pytorch/grammar.py
 */
import torch from "glasstorch";

export const WORDS = {
  DET: "the a every this that no some".split(" "),
  ADJ: "small cold light open clean dry warm old".split(" "),
  NOUN: "fish watch light dog cat boat saw plant duck cold house open".split(" "),
  VERB: "fish watch light saw plant duck open clean dry warm find keep".split(" "),
  PREP: "near under with behind".split(" "),
  ADV: "slowly often never".split(" "),
  END: ". ! ?".split(" "),
} as const;

export type Tag = keyof typeof WORDS;
export type Word = readonly [word: string, tag: Tag];
export const TAGS = Object.keys(WORDS) as Tag[];

export function sentences(n: number, seed: number): Word[][] {
  const generator = new torch.Generator().manual_seed(seed);
  const draw = (upto: number): number => torch.randint(0, upto, [1], { generator }).item() as number;
  const word = (tag: Tag): Word => [WORDS[tag][draw(WORDS[tag].length)], tag];

  function noun_phrase(): Word[] {
    const found = [word("DET")];
    while (draw(3) === 0) found.push(word("ADJ"));
    return [...found, word("NOUN")];
  }

  function sentence(): Word[] {
    const found = noun_phrase();
    if (draw(3) === 0) found.push(word("ADV"));
    found.push(word("VERB"), ...noun_phrase());
    if (draw(2) === 0) found.push(word("PREP"), ...noun_phrase());
    return [...found, word("END")];
  }

  return Array.from({ length: n }, sentence);
}

/** `n` sentences as one line of text. */
export function text(n: number, seed: number): string {
  const lines = sentences(n, seed).map((sentence) => sentence.map(([word]) => word).join(" "));
  return lines.join(" ");
}
