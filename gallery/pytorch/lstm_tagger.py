"""A tagger: says of each word of a sentence what it is. Both ways through an LSTM, packed. As gallery/lstm_tagger.ts, line by line."""

import torch
from grammar import TAGS, WORDS, sentences
from outcome import main, quiet, sums
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence, pad_sequence

VOCABULARY = ["<pad>", *sorted({word for words in WORDS.values() for word in words})]
BATCH, IGNORED = 16, -100


class Tagger(nn.Module):
    def __init__(self):
        super().__init__()
        self.words = nn.Embedding(len(VOCABULARY), 16, padding_idx=0)
        self.lstm = nn.LSTM(16, 24, batch_first=True, bidirectional=True)
        self.tags = nn.Linear(2 * 24, len(TAGS))

    def forward(self, words, lengths):
        packed = pack_padded_sequence(self.words(words), lengths, batch_first=True, enforce_sorted=False)
        states, _ = pad_packed_sequence(self.lstm(packed)[0], batch_first=True)
        return self.tags(states)


def batch_of(sentences):
    """Words and tags, padded to the longest sentence, and the lengths."""
    words = [torch.tensor([VOCABULARY.index(word) for word, _ in sentence]) for sentence in sentences]
    tags = [torch.tensor([TAGS.index(tag) for _, tag in sentence]) for sentence in sentences]
    lengths = torch.tensor([len(sentence) for sentence in sentences])
    return pad_sequence(words, batch_first=True), pad_sequence(tags, batch_first=True, padding_value=IGNORED), lengths


def tagged(net):
    """What it says of sentences it has not seen: the part of words with the right tag, and the first sentences."""
    unseen = sentences(100, seed=11)
    words, tags, lengths = batch_of(unseen)
    with torch.no_grad():
        said = net(words, lengths).argmax(2)
    counted = tags != IGNORED
    accuracy = ((said == tags) & counted).sum().item() / counted.sum().item()
    lines = [
        " ".join(f"{word}/{TAGS[tag]}" for (word, _), tag in zip(sentence, row)) for sentence, row in zip(unseen[:3], said.tolist())
    ]
    return accuracy, "\n".join(lines)


def run(steps=80, on_step=quiet):
    torch.manual_seed(0)
    net = Tagger()
    criterion = nn.CrossEntropyLoss(ignore_index=IGNORED)
    optimizer = torch.optim.Adam(net.parameters(), lr=1e-2)
    corpus = sentences(400, seed=10)

    losses = []
    while len(losses) < steps:
        start = len(losses) * BATCH % len(corpus)
        words, tags, lengths = batch_of(corpus[start : start + BATCH])
        optimizer.zero_grad()
        loss = criterion(net(words, lengths).flatten(0, 1), tags.flatten())
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
        on_step(losses)
    accuracy, text = tagged(net)
    return {"losses": losses, "accuracy": accuracy, "text": text, "parameters": sums(net)}


if __name__ == "__main__":
    main(run)
