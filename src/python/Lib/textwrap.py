"""Paragraphs in lines of a certain width."""

import re

__all__ = ['TextWrapper', 'wrap', 'fill', 'dedent', 'indent', 'shorten']

_SPACE = '\t\n\x0b\x0c\r '
_WORD = r'[\w!"\'&.,?]'
_LETTER = r'[^\d\W]'
_PIECES = re.compile(
    rf'([{_SPACE}]+|(?<={_WORD})-{{2,}}(?=\w)|[^{_SPACE}](?:[^{_SPACE}])*?(?:'
    rf'-(?:(?<={_LETTER}{{2}}-)|(?<={_LETTER}-{_LETTER}-))(?={_LETTER}-?{_LETTER})'
    rf'|(?=[{_SPACE}]|\Z)|(?<={_WORD})(?=-{{2,}}\w)))')


class TextWrapper:
    def __init__(self, width=70, initial_indent='', subsequent_indent='', expand_tabs=True, replace_whitespace=True,
                 fix_sentence_endings=False, break_long_words=True, drop_whitespace=True, break_on_hyphens=True, tabsize=8,
                 *, max_lines=None, placeholder=' [...]'):
        self.width, self.initial_indent, self.subsequent_indent = width, initial_indent, subsequent_indent
        self.expand_tabs, self.replace_whitespace, self.tabsize = expand_tabs, replace_whitespace, tabsize
        self.fix_sentence_endings, self.break_long_words = fix_sentence_endings, break_long_words
        self.drop_whitespace, self.break_on_hyphens = drop_whitespace, break_on_hyphens
        self.max_lines, self.placeholder = max_lines, placeholder

    def _chunks(self, text):
        if self.expand_tabs:
            text = text.expandtabs(self.tabsize)
        if self.replace_whitespace:
            text = text.translate(dict.fromkeys(map(ord, _SPACE), ' '))
        pieces = _PIECES.split(text) if self.break_on_hyphens else re.split(f'([{_SPACE}]+)', text)
        chunks = [piece for piece in pieces if piece]
        if self.fix_sentence_endings:
            for i in range(len(chunks) - 1):
                if chunks[i + 1] == ' ' and re.search(r'[a-z][.!?]["\']?\Z', chunks[i]):
                    chunks[i + 1] = '  '
        return chunks

    def _handle_long(self, chunks, line, length, width):
        space = 1 if width < 1 else width - length
        if self.break_long_words:
            chunk, end = chunks[-1], space
            if self.break_on_hyphens and len(chunk) > space:
                hyphen = chunk.rfind('-', 0, space)
                if hyphen > 0 and any(c != '-' for c in chunk[:hyphen]):
                    end = hyphen + 1
            line.append(chunk[:end])
            chunks[-1] = chunk[end:]
        elif not line:
            line.append(chunks.pop())

    def wrap(self, text):
        if self.width <= 0:
            raise ValueError(f'invalid width {self.width!r} (must be > 0)')
        if self.max_lines is not None:
            indent = self.subsequent_indent if self.max_lines > 1 else self.initial_indent
            if len(indent) + len(self.placeholder.lstrip()) > self.width:
                raise ValueError('placeholder too large for max width')
        lines = []
        chunks = self._chunks(text)[::-1]
        while chunks:
            line, length = [], 0
            indent = self.subsequent_indent if lines else self.initial_indent
            width = self.width - len(indent)
            if self.drop_whitespace and not chunks[-1].strip() and lines:
                chunks.pop()
            while chunks and length + len(chunks[-1]) <= width:
                length += len(chunks[-1])
                line.append(chunks.pop())
            if chunks and len(chunks[-1]) > width:
                self._handle_long(chunks, line, length, width)
                length = sum(map(len, line))
            if self.drop_whitespace and line and not line[-1].strip():
                length -= len(line.pop())
            if not line:
                continue
            last = self.max_lines is not None and len(lines) + 1 >= self.max_lines
            rest_fits = not chunks or self.drop_whitespace and len(chunks) == 1 and not chunks[0].strip()
            if not last or rest_fits and length <= width:
                lines.append(indent + ''.join(line))
                continue
            while line:
                if line[-1].strip() and length + len(self.placeholder) <= width:
                    line.append(self.placeholder)
                    lines.append(indent + ''.join(line))
                    break
                length -= len(line.pop())
            else:
                if lines:
                    previous = lines[-1].rstrip()
                    if len(previous) + len(self.placeholder) <= self.width:
                        lines[-1] = previous + self.placeholder
                        break
                lines.append(indent + self.placeholder.lstrip())
            break
        return lines

    def fill(self, text):
        return '\n'.join(self.wrap(text))


def wrap(text, width=70, **kwargs):
    return TextWrapper(width=width, **kwargs).wrap(text)


def fill(text, width=70, **kwargs):
    return TextWrapper(width=width, **kwargs).fill(text)


def shorten(text, width, **kwargs):
    return TextWrapper(width=width, max_lines=1, **kwargs).fill(' '.join(text.strip().split()))


def dedent(text):
    lines = [line if line.strip(' \t') else '' for line in text.split('\n')]
    margin = None
    for line in lines:
        if line:
            own = line[:len(line) - len(line.lstrip(' \t'))]
            if margin is None:
                margin = own
            while not own.startswith(margin):
                margin = margin[:-1]
    return '\n'.join(line[len(margin or ''):] for line in lines)


def indent(text, prefix, predicate=None):
    if predicate is None:
        predicate = str.strip
    return ''.join(prefix + line if predicate(line) else line for line in text.splitlines(True))
