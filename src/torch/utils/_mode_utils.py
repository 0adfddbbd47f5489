"""Questions about modes."""


def all_same_mode(modes):
    return all(it == modes[0] for it in modes)
