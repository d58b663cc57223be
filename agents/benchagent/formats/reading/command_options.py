"""Reads the options of a command line as the program's own getopt does, so that file names are not taken for flags."""

from __future__ import annotations

from collections.abc import Collection, Sequence

CommandOptions = dict[str, list[str]]


def command_options(words: Sequence[str], takes: Collection[str], attached: Collection[str] = ()) -> CommandOptions:
    """The options among the words after the program's name, each with its arguments: ``-Rb x -i 0 -i1`` is R: [""],
    b: [x], i: [0, 1].

    ``takes`` are the options with an argument: the rest of their word, else the whole next word. ``attached`` are those
    whose argument is optional and must be in the same word. An option's name is one letter; ``+`` and a letter is one
    name, too, and the rest of its word is ignored (iozone's ``-+u``). As in GNU getopt, options may follow other words,
    and ``--`` ends them.
    """
    by_name: CommandOptions = {}
    remaining = iter(words)
    for word in remaining:
        if word == "--":
            break
        letters = word[1:] if word.startswith("-") else ""
        while letters:
            name, letters = (letters[:2], "") if letters[0] == "+" else (letters[0], letters[1:])
            argument = ""
            if name in takes:
                argument, letters = letters or next(remaining, ""), ""
            elif name in attached:
                argument, letters = letters, ""
            by_name.setdefault(name, []).append(argument)
    return by_name
