"""A small grammar of English, in which many a word is noun, verb or adjective by its place. As gallery/support/grammar.ts."""

import torch

WORDS = {
    "DET": "the a every this that no some".split(),
    "ADJ": "small cold light open clean dry warm old".split(),
    "NOUN": "fish watch light dog cat boat saw plant duck cold house open".split(),
    "VERB": "fish watch light saw plant duck open clean dry warm find keep".split(),
    "PREP": "near under with behind".split(),
    "ADV": "slowly often never".split(),
    "END": ". ! ?".split(),
}
TAGS = list(WORDS)


def sentences(n, seed):
    """n sentences; each a list of (word, tag)."""
    generator = torch.Generator().manual_seed(seed)

    def draw(upto):
        return torch.randint(0, upto, [1], generator=generator).item()

    def word(tag):
        return [(WORDS[tag][draw(len(WORDS[tag]))], tag)]

    def noun_phrase():
        found = word("DET")
        while draw(3) == 0:
            found += word("ADJ")
        return found + word("NOUN")

    def sentence():
        found = noun_phrase()
        if draw(3) == 0:
            found += word("ADV")
        found += word("VERB") + noun_phrase()
        if draw(2) == 0:
            found += word("PREP") + noun_phrase()
        return found + word("END")

    return [sentence() for _ in range(n)]


def text(n, seed):
    """n sentences as one line of text."""
    return " ".join(" ".join(word for word, _ in sentence) for sentence in sentences(n, seed))
