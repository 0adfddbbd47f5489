/**
 * @file A tagger: says of each word of a sentence what it is. Both ways through an LSTM, packed.
 * @original In Python, line by line: gallery/pytorch/lstm_tagger.py
 */
import torch, { type Tensor } from "glasstorch";
import { sentences, TAGS, WORDS, type Word } from "./support/grammar.ts";
import { type Options, type Outcome, quiet, sums } from "./support/outcome.ts";
import { report } from "./support/report.ts";

const { nn } = torch;
const { pack_padded_sequence, pad_packed_sequence, pad_sequence } = nn.utils.rnn;

const VOCABULARY = ["<pad>", ...[...new Set(Object.values(WORDS).flat())].sort()];
const [BATCH, IGNORED] = [16, -100];

class Tagger extends nn.Module<[words: Tensor, lengths: Tensor], Tensor> {
  words = new nn.Embedding(VOCABULARY.length, 16, { padding_idx: 0 });
  lstm = new nn.LSTM(16, 24, { batch_first: true, bidirectional: true });
  tags = new nn.Linear(2 * 24, TAGS.length);

  override forward(words: Tensor, lengths: Tensor): Tensor {
    const packed = pack_padded_sequence(this.words(words), lengths, { batch_first: true, enforce_sorted: false });
    const [states] = pad_packed_sequence(this.lstm(packed)[0], { batch_first: true });
    return this.tags(states);
  }
}

/** Words and tags, padded to the longest sentence, and the lengths. */
function batch_of(sentences: readonly (readonly Word[])[]): [words: Tensor, tags: Tensor, lengths: Tensor] {
  const words = sentences.map((sentence) => torch.tensor(sentence.map(([word]) => VOCABULARY.indexOf(word))));
  const tags = sentences.map((sentence) => torch.tensor(sentence.map(([, tag]) => TAGS.indexOf(tag))));
  const lengths = torch.tensor(sentences.map((sentence) => sentence.length));
  const batch_first = true;
  return [pad_sequence(words, { batch_first }), pad_sequence(tags, { batch_first, padding_value: IGNORED }), lengths];
}

/** The tagger on sentences that it has not seen: the share of words with the right tag, and the first sentences. */
function tagged(net: Tagger): { accuracy: number; text: string } {
  const unseen = sentences(100, 11);
  const [words, tags, lengths] = batch_of(unseen);
  const said = torch.no_grad(() => net(words, lengths).argmax(2));
  const counted = tags.ne(IGNORED);
  const right = said.eq(tags).logical_and(counted);
  const rows = said.tolist() as number[][];
  const lines = unseen.slice(0, 3).map((sentence, n) => sentence.map(([word], i) => `${word}/${TAGS[rows[n][i]]}`));
  return {
    accuracy: (right.sum().item() as number) / (counted.sum().item() as number),
    text: lines.map((line) => line.join(" ")).join("\n"),
  };
}

export function run({ steps = 80, on_step = quiet }: Options = {}): Outcome {
  torch.manual_seed(0);
  const net = new Tagger();
  const criterion = new nn.CrossEntropyLoss({ ignore_index: IGNORED });
  const optimizer = new torch.optim.Adam(net.parameters(), { lr: 1e-2 });
  const corpus = sentences(400, 10);

  const losses: number[] = [];
  while (losses.length < steps) {
    const start = (losses.length * BATCH) % corpus.length;
    const [words, tags, lengths] = batch_of(corpus.slice(start, start + BATCH));
    optimizer.zero_grad();
    const loss = criterion(net(words, lengths).flatten(0, 1), tags.flatten());
    loss.backward();
    optimizer.step();
    losses.push(loss.item() as number);
    on_step(losses);
  }
  return { losses, ...tagged(net), parameters: sums(net) };
}

/** Words, and below each what was said of it. */
function in_columns(line: string): string[] {
  const pairs = line.split(" ").map((pair) => pair.split("/"));
  const widths = pairs.map(([word, tag]) => Math.max(word.length, tag.length) + 2);
  return [0, 1].map((row) => ` ${pairs.map((pair, i) => pair[row].padEnd(widths[i])).join("")}`.trimEnd());
}

report(import.meta.url, run, {
  title: "A tagger of words: an LSTM both ways over packed sentences",
  shown: ({ text = "" }) => ["what it says of sentences it has not seen", ...text.split("\n").flatMap(in_columns)],
});
