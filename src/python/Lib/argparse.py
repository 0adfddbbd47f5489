"""Arguments of the command line: what a program accepts, the values in it, its help text."""

import os
import re
import shutil
import sys

__all__ = ['ArgumentParser', 'ArgumentError', 'ArgumentTypeError', 'BooleanOptionalAction', 'FileType', 'HelpFormatter',
           'ArgumentDefaultsHelpFormatter', 'RawDescriptionHelpFormatter', 'RawTextHelpFormatter', 'MetavarTypeHelpFormatter', 'Namespace',
           'Action', 'ONE_OR_MORE', 'OPTIONAL', 'PARSER', 'REMAINDER', 'SUPPRESS', 'ZERO_OR_MORE']

SUPPRESS = '==SUPPRESS=='
OPTIONAL, ZERO_OR_MORE, ONE_OR_MORE, PARSER, REMAINDER = '?', '*', '+', 'A...', '...'
_UNRECOGNIZED_ARGS_ATTR = '_unrecognized_args'


# ---- The help text

class HelpFormatter:
    def __init__(self, prog, indent_increment=2, max_help_position=24, width=None):
        self._width = shutil.get_terminal_size().columns - 2 if width is None else width
        self._prog = prog
        self._increment = indent_increment
        self._indent = 0
        self._max_position = min(max_help_position, max(self._width - 20, indent_increment * 2))
        self._sections = [[None, []]]
        self._longest = 0

    def start_section(self, heading):
        self._indent += self._increment
        self._sections.append([heading, []])

    def end_section(self):
        heading, items = self._sections.pop()
        indent = self._indent - self._increment
        self._indent = indent

        def section():
            text = ''.join(item() for item in items)
            if not text.strip('\n'):
                return ''
            title = f'{"":{indent}}{heading}:\n' if heading is not None and heading is not SUPPRESS else ''
            return f'\n{title}{text}\n'
        self._sections[-1][1].append(section)

    def add_text(self, text):
        if text is not SUPPRESS and text is not None:
            indent = self._indent
            self._sections[-1][1].append(lambda: self._text(text, indent))

    def _text(self, text, indent):
        if '%(prog)' in text:
            text = text % {'prog': self._prog}
        return self._fill_text(text, max(self._width - indent, 11), ' ' * indent) + '\n\n'

    def add_usage(self, usage, actions, groups, prefix=None):
        if usage is not SUPPRESS:
            self._sections[-1][1].append(lambda: self._format_usage(usage, actions, groups, prefix))

    def add_argument(self, action):
        if action.help is SUPPRESS:
            return
        indent = self._indent
        self._longest = max(self._longest, len(self._format_action_invocation(action)) + indent)
        for sub in self._subactions(action):
            self._longest = max(self._longest, len(self._format_action_invocation(sub)) + indent + self._increment)
        self._sections[-1][1].append(lambda: self._format_action(action, indent))

    def add_arguments(self, actions):
        for action in actions:
            self.add_argument(action)

    def _subactions(self, action):
        return action._get_subactions() if hasattr(action, '_get_subactions') else []

    def format_help(self):
        text = ''.join(item() for item in self._sections[0][1])
        text = re.sub('\n\n\n+', '\n\n', text)
        return text.strip('\n') + '\n' if text.strip('\n') else text

    # -- Usage

    def _format_usage(self, usage, actions, groups, prefix):
        prefix = 'usage: ' if prefix is None else prefix
        if usage is not None:
            return f'{prefix}{usage % {"prog": self._prog}}\n\n'
        prog = '%(prog)s' % {'prog': self._prog}
        optionals = [action for action in actions if action.option_strings]
        positionals = [action for action in actions if not action.option_strings]
        parts = self._usage_parts(optionals + positionals, groups)
        line = ' '.join([prog, *(text for text, _ in parts)])
        width = self._width - self._indent
        if len(prefix) + len(line) > width:
            options = [text for text, optional in parts if optional]
            others = [text for text, optional in parts if not optional]

            def lines(texts, indent, first=None):
                result, current, length = [], [], (len(first) if first is not None else len(indent)) - 1
                for text in texts:
                    if length + 1 + len(text) > width and current:
                        result.append(indent + ' '.join(current))
                        current, length = [], len(indent) - 1
                    current.append(text)
                    length += len(text) + 1
                if current:
                    result.append(indent + ' '.join(current))
                if first is not None:
                    result[0] = result[0][len(indent):]
                return result
            if len(prefix) + len(prog) <= 0.75 * width:
                indent = ' ' * (len(prefix) + len(prog) + 1)
                if options:
                    found = lines([prog, *options], indent, prefix)
                    found += lines(others, indent)
                else:
                    found = lines([prog, *others], indent, prefix) if others else [prog]
            else:
                indent = ' ' * len(prefix)
                found = lines(options + others, indent)
                if len(found) > 1:
                    found = lines(options, indent) + lines(others, indent)
                found = [prog, *found]
            line = '\n'.join(found)
        return f'{prefix}{line}\n\n'

    def _usage_parts(self, actions, groups):
        # A group of arguments that exclude each other is one part if they stand together.
        parts, i = [], 0
        while i < len(actions):
            group = next((g for g in groups if g._group_actions and actions[i:i + len(g._group_actions)] == g._group_actions
                          and not all(a.help is SUPPRESS for a in g._group_actions)), None)
            if group is not None:
                inner = [self._usage_part(a, grouped=True) for a in group._group_actions if a.help is not SUPPRESS]
                text = ' | '.join(inner)
                if not group.required:
                    text = f'[{text}]'
                elif len(inner) > 1:
                    text = f'({text})'
                parts += [(piece, bool(group._group_actions[0].option_strings)) for piece in self._joined_group(text)]
                i += len(group._group_actions)
                continue
            if actions[i].help is not SUPPRESS:
                parts.append((self._usage_part(actions[i]), bool(actions[i].option_strings)))
            i += 1
        return parts

    def _joined_group(self, text):
        return re.findall(r'\(.*?\)+(?=\s|$)|\[.*?\]+(?=\s|$)|\S+', text)

    def _usage_part(self, action, grouped=False):
        if not action.option_strings:
            text = self._format_args(action, self._default_metavar(action))
            if grouped and text[0] == '[' and text[-1] == ']':
                text = text[1:-1]
            return text
        if action.nargs == 0:
            text = action.format_usage()
        else:
            text = f'{action.option_strings[0]} {self._format_args(action, self._default_metavar(action))}'
        return text if action.required or grouped else f'[{text}]'

    # -- One argument

    def _default_metavar(self, action):
        return action.dest.upper() if action.option_strings else action.dest

    def _get_default_metavar_for_optional(self, action):
        return action.dest.upper()

    def _get_default_metavar_for_positional(self, action):
        return action.dest

    def _format_action(self, action, indent):
        position = min(self._longest + 2, self._max_position)
        help_width = max(self._width - position, 11)
        width = position - indent - 2
        invocation = self._format_action_invocation(action)
        if not action.help:
            result, first = [f'{"":{indent}}{invocation}\n'], 0
        elif len(invocation) <= width:
            result, first = [f'{"":{indent}}{invocation:{width}}  '], 0
        else:
            result, first = [f'{"":{indent}}{invocation}\n'], position
        if action.help and action.help.strip():
            lines = self._split_lines(self._expand_help(action), help_width)
            if lines:
                result.append(f'{"":{first}}{lines[0]}\n')
                result += [f'{"":{position}}{line}\n' for line in lines[1:]]
        elif not result[-1].endswith('\n'):
            result.append('\n')
        for sub in self._subactions(action):
            result.append(self._format_action(sub, indent + self._increment))
        return ''.join(result)

    def _format_action_invocation(self, action):
        if not action.option_strings:
            return ' '.join(self._metavars(action, self._default_metavar(action))(1))
        if action.nargs == 0:
            return ', '.join(action.option_strings)
        args = self._format_args(action, self._default_metavar(action))
        return ', '.join(f'{option} {args}' for option in action.option_strings)

    def _metavars(self, action, default):
        if action.metavar is not None:
            result = action.metavar
        elif action.choices is not None:
            result = '{%s}' % ','.join(map(str, action.choices))
        else:
            result = default
        return lambda n: result if isinstance(result, tuple) else (result,) * n

    def _format_args(self, action, default):
        names = self._metavars(action, default)
        if action.nargs is None:
            return '%s' % names(1)
        if action.nargs == OPTIONAL:
            return '[%s]' % names(1)
        if action.nargs == ZERO_OR_MORE:
            name = names(1)
            return '[%s [%s ...]]' % name if len(name) == 2 else '[%s ...]' % name
        if action.nargs == ONE_OR_MORE:
            return '%s [%s ...]' % names(2)
        if action.nargs == REMAINDER:
            return '...'
        if action.nargs == PARSER:
            return '%s ...' % names(1)
        if action.nargs == SUPPRESS:
            return ''
        try:
            return ' '.join(['%s'] * action.nargs) % names(action.nargs)
        except TypeError:
            raise ValueError('invalid nargs value') from None

    def _expand_help(self, action):
        values = {**vars(action), 'prog': self._prog}
        for name in list(values):
            if values[name] is SUPPRESS:
                del values[name]
            elif hasattr(values[name], '__name__'):
                values[name] = values[name].__name__
        if values.get('choices') is not None:
            values['choices'] = ', '.join(map(str, values['choices']))
        return self._get_help_string(action) % values

    def _get_help_string(self, action):
        return action.help

    def _split_lines(self, text, width):
        import textwrap
        return textwrap.wrap(' '.join(text.split()), width)

    def _fill_text(self, text, width, indent):
        import textwrap
        return textwrap.fill(' '.join(text.split()), width, initial_indent=indent, subsequent_indent=indent)


class RawDescriptionHelpFormatter(HelpFormatter):
    def _fill_text(self, text, width, indent):
        return ''.join(indent + line for line in text.splitlines(keepends=True))


class RawTextHelpFormatter(RawDescriptionHelpFormatter):
    def _split_lines(self, text, width):
        return text.splitlines()


class ArgumentDefaultsHelpFormatter(HelpFormatter):
    def _get_help_string(self, action):
        text = action.help or ''
        if '%(default)' not in text and action.default is not SUPPRESS and (
                action.option_strings or action.nargs in (OPTIONAL, ZERO_OR_MORE)):
            text += ' (default: %(default)s)'
        return text


class MetavarTypeHelpFormatter(HelpFormatter):
    def _default_metavar(self, action):
        return action.type.__name__


# ---- Errors and values

def _argument_name(argument):
    if argument is None:
        return None
    if argument.option_strings:
        return '/'.join(argument.option_strings)
    if argument.metavar not in (None, SUPPRESS):
        return argument.metavar
    if argument.dest not in (None, SUPPRESS):
        return argument.dest
    if argument.choices:
        return '{' + ','.join(argument.choices) + '}'
    return None


class ArgumentError(Exception):
    def __init__(self, argument, message):
        self.argument_name, self.message = _argument_name(argument), message

    def __str__(self):
        return self.message if self.argument_name is None else f'argument {self.argument_name}: {self.message}'


class ArgumentTypeError(Exception):
    pass


class _Attributes:
    def __repr__(self):
        parts, stars = [repr(it) for it in self._get_args()], {}
        for name, value in self._get_kwargs():
            if name.isidentifier():
                parts.append(f'{name}={value!r}')
            else:
                stars[name] = value
        if stars:
            parts.append(f'**{stars!r}')
        return f'{type(self).__name__}({", ".join(parts)})'

    def _get_kwargs(self):
        return list(self.__dict__.items())

    def _get_args(self):
        return []


class Namespace(_Attributes):
    def __init__(self, **kwargs):
        for name in kwargs:
            setattr(self, name, kwargs[name])

    def __eq__(self, other):
        return vars(self) == vars(other) if isinstance(other, Namespace) else NotImplemented

    def __contains__(self, key):
        return key in self.__dict__


class Action(_Attributes):
    def __init__(self, option_strings, dest, nargs=None, const=None, default=None, type=None, choices=None, required=False, help=None,
                 metavar=None):
        self.option_strings, self.dest, self.nargs, self.const, self.default = option_strings, dest, nargs, const, default
        self.type, self.choices, self.required, self.help, self.metavar = type, choices, required, help, metavar

    def _get_kwargs(self):
        return [(name, getattr(self, name)) for name in ('option_strings', 'dest', 'nargs', 'const', 'default', 'type', 'choices', 'required',
                                                         'help', 'metavar')]

    def format_usage(self):
        return self.option_strings[0]

    def __call__(self, parser, namespace, values, option_string=None):
        raise NotImplementedError('.__call__() not defined')


class BooleanOptionalAction(Action):
    def __init__(self, option_strings, dest, default=None, type=None, choices=None, required=False, help=None, metavar=None):
        options = []
        for option in option_strings:
            options.append(option)
            if option.startswith('--'):
                options.append('--no-' + option[2:])
        super().__init__(options, dest, 0, None, default, type, choices, required, help, metavar)

    def __call__(self, parser, namespace, values, option_string=None):
        if option_string in self.option_strings:
            setattr(namespace, self.dest, not option_string.startswith('--no-'))

    def format_usage(self):
        return ' | '.join(self.option_strings)


class _StoreAction(Action):
    def __init__(self, option_strings, dest, nargs=None, const=None, default=None, type=None, choices=None, required=False, help=None,
                 metavar=None):
        if nargs == 0:
            raise ValueError('nargs for store actions must be != 0; if you have nothing to store, actions such as store true or store '
                             'const may be more appropriate')
        if const is not None and nargs != OPTIONAL:
            raise ValueError(f'nargs must be {OPTIONAL!r} to supply const')
        super().__init__(option_strings, dest, nargs, const, default, type, choices, required, help, metavar)

    def __call__(self, parser, namespace, values, option_string=None):
        setattr(namespace, self.dest, values)


class _StoreConstAction(Action):
    def __init__(self, option_strings, dest, const=None, default=None, required=False, help=None, metavar=None):
        super().__init__(option_strings, dest, 0, const, default, required=required, help=help)

    def __call__(self, parser, namespace, values, option_string=None):
        setattr(namespace, self.dest, self.const)


class _StoreTrueAction(_StoreConstAction):
    def __init__(self, option_strings, dest, default=False, required=False, help=None):
        super().__init__(option_strings, dest, True, default, required, help)


class _StoreFalseAction(_StoreConstAction):
    def __init__(self, option_strings, dest, default=True, required=False, help=None):
        super().__init__(option_strings, dest, False, default, required, help)


def _copied(items):
    return [] if items is None else list(items)


class _AppendAction(_StoreAction):
    def __call__(self, parser, namespace, values, option_string=None):
        setattr(namespace, self.dest, _copied(getattr(namespace, self.dest, None)) + [values])


class _ExtendAction(_StoreAction):
    def __call__(self, parser, namespace, values, option_string=None):
        setattr(namespace, self.dest, _copied(getattr(namespace, self.dest, None)) + list(values))


class _AppendConstAction(_StoreConstAction):
    def __call__(self, parser, namespace, values, option_string=None):
        setattr(namespace, self.dest, _copied(getattr(namespace, self.dest, None)) + [self.const])


class _CountAction(Action):
    def __init__(self, option_strings, dest, default=None, required=False, help=None):
        super().__init__(option_strings, dest, 0, default=default, required=required, help=help)

    def __call__(self, parser, namespace, values, option_string=None):
        setattr(namespace, self.dest, (getattr(namespace, self.dest, None) or 0) + 1)


class _HelpAction(Action):
    def __init__(self, option_strings, dest=SUPPRESS, default=SUPPRESS, help=None):
        super().__init__(option_strings, dest, 0, default=default, help=help)

    def __call__(self, parser, namespace, values, option_string=None):
        parser.print_help()
        parser.exit()


class _VersionAction(Action):
    def __init__(self, option_strings, version=None, dest=SUPPRESS, default=SUPPRESS, help="show program's version number and exit"):
        super().__init__(option_strings, dest, 0, default=default, help=help)
        self.version = version

    def __call__(self, parser, namespace, values, option_string=None):
        formatter = parser._get_formatter()
        formatter.add_text(parser.version if self.version is None else self.version)
        parser._print_message(formatter.format_help(), sys.stdout)
        parser.exit()


class _SubParsersAction(Action):
    class _ChoicesPseudoAction(Action):
        def __init__(self, name, aliases, help):
            metavar = f'{name} ({", ".join(aliases)})' if aliases else name
            super().__init__([], name, help=help, metavar=metavar)

    def __init__(self, option_strings, prog, parser_class, dest=SUPPRESS, required=False, help=None, metavar=None):
        self._prog_prefix, self._parser_class = prog, parser_class
        self._name_parser_map, self._choices_actions = {}, []
        super().__init__(option_strings, dest, PARSER, choices=self._name_parser_map, required=required, help=help, metavar=metavar)

    def add_parser(self, name, **kwargs):
        if kwargs.get('prog') is None:
            kwargs['prog'] = f'{self._prog_prefix} {name}'
        aliases = kwargs.pop('aliases', ())
        if name in self._name_parser_map:
            raise ArgumentError(self, f'conflicting subparser: {name}')
        for alias in aliases:
            if alias in self._name_parser_map:
                raise ArgumentError(self, f'conflicting subparser alias: {alias}')
        if 'help' in kwargs:
            self._choices_actions.append(self._ChoicesPseudoAction(name, aliases, kwargs.pop('help')))
        parser = self._parser_class(**kwargs)
        for each in (name, *aliases):
            self._name_parser_map[each] = parser
        return parser

    def _get_subactions(self):
        return self._choices_actions

    def __call__(self, parser, namespace, values, option_string=None):
        name, arguments = values[0], values[1:]
        if self.dest is not SUPPRESS:
            setattr(namespace, self.dest, name)
        if name not in self._name_parser_map:
            raise ArgumentError(self, f'unknown parser {name!r} (choices: {", ".join(self._name_parser_map)})')
        found, left = self._name_parser_map[name].parse_known_args(arguments, None)
        for key, value in vars(found).items():
            setattr(namespace, key, value)
        if left:
            vars(namespace).setdefault(_UNRECOGNIZED_ARGS_ATTR, [])
            getattr(namespace, _UNRECOGNIZED_ARGS_ATTR).extend(left)


class FileType:
    def __init__(self, mode='r', bufsize=-1, encoding=None, errors=None):
        self._mode, self._bufsize, self._encoding, self._errors = mode, bufsize, encoding, errors

    def __call__(self, string):
        if string == '-':
            return sys.stdin if 'r' in self._mode else sys.stdout
        try:
            return open(string, self._mode, self._bufsize, self._encoding, self._errors)
        except OSError as e:
            raise ArgumentTypeError(f"can't open '{string}': {e}") from None

    def __repr__(self):
        return f'FileType({self._mode!r})'


# ---- The parser

class _ActionsContainer:
    def __init__(self, description, prefix_chars, argument_default, conflict_handler):
        self.description, self.argument_default = description, argument_default
        self.prefix_chars, self.conflict_handler = prefix_chars, conflict_handler
        self._registries = {'action': {None: _StoreAction, 'store': _StoreAction, 'store_const': _StoreConstAction,
                                       'store_true': _StoreTrueAction, 'store_false': _StoreFalseAction, 'append': _AppendAction,
                                       'append_const': _AppendConstAction, 'count': _CountAction, 'help': _HelpAction,
                                       'version': _VersionAction, 'parsers': _SubParsersAction, 'extend': _ExtendAction},
                            'type': {None: lambda text: text}}
        if conflict_handler not in ('error', 'resolve'):
            raise ValueError(f'invalid conflict_resolution value: {conflict_handler!r}')
        self._actions, self._option_string_actions = [], {}
        self._action_groups, self._mutually_exclusive_groups = [], []
        self._defaults = {}
        self._has_negative_number_optionals = []
        self._negative_number_matcher = re.compile(r'^-\d+$|^-\d*\.\d+$')

    def register(self, registry_name, value, object):
        self._registries[registry_name][value] = object

    def _registry_get(self, registry_name, value, default=None):
        return self._registries[registry_name].get(value, default)

    def set_defaults(self, **kwargs):
        self._defaults.update(kwargs)
        for action in self._actions:
            if action.dest in kwargs:
                action.default = kwargs[action.dest]

    def get_default(self, dest):
        for action in self._actions:
            if action.dest == dest and action.default is not None:
                return action.default
        return self._defaults.get(dest)

    def add_argument(self, *args, **kwargs):
        chars = self.prefix_chars
        if not args or len(args) == 1 and args[0][0] not in chars:
            if args and 'dest' in kwargs:
                raise ValueError('dest supplied twice for positional argument')
            kwargs = self._positional(*args, **kwargs)
        else:
            kwargs = self._optional(*args, **kwargs)
        if 'default' not in kwargs:
            if kwargs['dest'] in self._defaults:
                kwargs['default'] = self._defaults[kwargs['dest']]
            elif self.argument_default is not None:
                kwargs['default'] = self.argument_default
        action_class = kwargs.pop('action', None)
        action_class = self._registry_get('action', action_class, action_class)
        if not callable(action_class):
            raise ValueError(f'unknown action "{action_class}"')
        action = action_class(**kwargs)
        type_function = self._registry_get('type', action.type, action.type)
        if not callable(type_function):
            raise ValueError(f'{type_function!r} is not callable')
        if type_function is FileType:
            raise ValueError(f'{type_function!r} is a FileType class object, instance of it must be passed')
        if hasattr(self, '_get_formatter'):
            try:
                self._get_formatter()._format_args(action, None)
            except TypeError:
                raise ValueError('length of metavar tuple does not match nargs') from None
        return self._add_action(action)

    def add_argument_group(self, *args, **kwargs):
        group = _ArgumentGroup(self, *args, **kwargs)
        self._action_groups.append(group)
        return group

    def add_mutually_exclusive_group(self, **kwargs):
        group = _MutuallyExclusiveGroup(self, **kwargs)
        self._mutually_exclusive_groups.append(group)
        return group

    def _add_action(self, action):
        self._check_conflict(action)
        self._actions.append(action)
        action.container = self
        for option in action.option_strings:
            self._option_string_actions[option] = action
            if self._negative_number_matcher.match(option) and not self._has_negative_number_optionals:
                self._has_negative_number_optionals.append(True)
        return action

    def _remove_action(self, action):
        self._actions.remove(action)

    def _add_container_actions(self, container):
        groups = {group.title: group for group in self._action_groups}
        of_action = {}
        for group in container._action_groups:
            if group.title not in groups:
                groups[group.title] = self.add_argument_group(group.title, group.description, conflict_handler=group.conflict_handler)
            for action in group._group_actions:
                of_action[action] = groups[group.title]
        for group in container._mutually_exclusive_groups:
            own = self.add_mutually_exclusive_group(required=group.required)
            for action in group._group_actions:
                of_action[action] = own
        for action in container._actions:
            of_action.get(action, self)._add_action(action)

    def _positional(self, dest, **kwargs):
        if 'required' in kwargs:
            raise TypeError("'required' is an invalid argument for positionals")
        if kwargs.get('nargs') not in (OPTIONAL, ZERO_OR_MORE):
            kwargs['required'] = True
        if kwargs.get('nargs') == ZERO_OR_MORE and 'default' not in kwargs:
            kwargs['required'] = True
        return dict(kwargs, dest=dest, option_strings=[])

    def _optional(self, *args, **kwargs):
        options, long = [], []
        for option in args:
            if option[0] not in self.prefix_chars:
                raise ValueError(f'invalid option string {option!r}: must start with a character {self.prefix_chars!r}')
            options.append(option)
            if len(option) > 1 and option[1] in self.prefix_chars:
                long.append(option)
        dest = kwargs.pop('dest', None)
        if dest is None:
            dest = (long or options)[0].lstrip(self.prefix_chars)
            if not dest:
                raise ValueError(f'dest= is required for options like {(long or options)[0]!r}')
            dest = dest.replace('-', '_')
        return dict(kwargs, dest=dest, option_strings=options)

    def _check_conflict(self, action):
        conflicts = [(option, self._option_string_actions[option]) for option in action.option_strings
                     if option in self._option_string_actions]
        if not conflicts:
            return
        if self.conflict_handler == 'error':
            names = ', '.join(option for option, _ in conflicts)
            raise ArgumentError(action, f'conflicting option string{"" if len(conflicts) == 1 else "s"}: {names}')
        for option, other in conflicts:
            other.option_strings.remove(option)
            self._option_string_actions.pop(option, None)
            if not other.option_strings:
                other.container._remove_action(other)


class _ArgumentGroup(_ActionsContainer):
    def __init__(self, container, title=None, description=None, **kwargs):
        super().__init__(description, kwargs.get('prefix_chars', container.prefix_chars),
                         kwargs.get('argument_default', container.argument_default),
                         kwargs.get('conflict_handler', container.conflict_handler))
        self.title, self._group_actions = title, []
        self._container = container
        self._registries, self._actions = container._registries, container._actions
        self._option_string_actions, self._defaults = container._option_string_actions, container._defaults
        self._has_negative_number_optionals = container._has_negative_number_optionals
        self._mutually_exclusive_groups = container._mutually_exclusive_groups

    def _add_action(self, action):
        action = super()._add_action(action)
        self._group_actions.append(action)
        return action

    def _remove_action(self, action):
        super()._remove_action(action)
        self._group_actions.remove(action)


class _MutuallyExclusiveGroup(_ArgumentGroup):
    def __init__(self, container, required=False):
        super().__init__(container)
        self.required = required

    def _add_action(self, action):
        if action.required:
            raise ValueError('mutually exclusive arguments must be optional')
        action = self._container._add_action(action)
        self._group_actions.append(action)
        return action

    def _remove_action(self, action):
        self._container._remove_action(action)
        self._group_actions.remove(action)


class ArgumentParser(_Attributes, _ActionsContainer):
    def __init__(self, prog=None, usage=None, description=None, epilog=None, parents=[], formatter_class=HelpFormatter, prefix_chars='-',
                 fromfile_prefix_chars=None, argument_default=None, conflict_handler='error', add_help=True, allow_abbrev=True,
                 exit_on_error=True):
        _ActionsContainer.__init__(self, description, prefix_chars, argument_default, conflict_handler)
        self.prog = os.path.basename(sys.argv[0]) if prog is None else prog
        self.usage, self.epilog, self.formatter_class = usage, epilog, formatter_class
        self.fromfile_prefix_chars, self.add_help = fromfile_prefix_chars, add_help
        self.allow_abbrev, self.exit_on_error = allow_abbrev, exit_on_error
        self._positionals = self.add_argument_group('positional arguments')
        self._optionals = self.add_argument_group('options')
        self._subparsers = None
        char = '-' if '-' in prefix_chars else prefix_chars[0]
        if add_help:
            self.add_argument(char + 'h', char * 2 + 'help', action='help', default=SUPPRESS, help='show this help message and exit')
        for parent in parents:
            self._add_container_actions(parent)
            self._defaults.update(parent._defaults)

    def _get_kwargs(self):
        return [(name, getattr(self, name)) for name in ('prog', 'usage', 'description', 'formatter_class', 'conflict_handler', 'add_help')]

    def add_subparsers(self, **kwargs):
        if self._subparsers is not None:
            self.error('cannot have multiple subparser arguments')
        kwargs.setdefault('parser_class', type(self))
        if 'title' in kwargs or 'description' in kwargs:
            self._subparsers = self.add_argument_group(kwargs.pop('title', 'subcommands'), kwargs.pop('description', None))
        else:
            self._subparsers = self._positionals
        if kwargs.get('prog') is None:
            formatter = self._get_formatter()
            formatter.add_usage(self.usage, [a for a in self._actions if not a.option_strings], self._mutually_exclusive_groups, '')
            kwargs['prog'] = formatter.format_help().strip()
        action_class = self._registry_get('action', kwargs.pop('action', 'parsers'))
        action = action_class(option_strings=[], **kwargs)
        self._subparsers._add_action(action)
        return action

    def _add_action(self, action):
        (self._optionals if action.option_strings else self._positionals)._add_action(action)
        return action

    def parse_args(self, args=None, namespace=None):
        namespace, left = self.parse_known_args(args, namespace)
        if left:
            self.error(f'unrecognized arguments: {" ".join(left)}')
        return namespace

    def parse_known_args(self, args=None, namespace=None):
        args = sys.argv[1:] if args is None else list(args)
        namespace = Namespace() if namespace is None else namespace
        for action in self._actions:
            if action.dest is not SUPPRESS and action.default is not SUPPRESS and not hasattr(namespace, action.dest):
                setattr(namespace, action.dest, action.default)
        for dest in self._defaults:
            if not hasattr(namespace, dest):
                setattr(namespace, dest, self._defaults[dest])
        if self.exit_on_error:
            try:
                namespace, left = self._parse(args, namespace)
            except ArgumentError as err:
                self.error(str(err))
        else:
            namespace, left = self._parse(args, namespace)
        if hasattr(namespace, _UNRECOGNIZED_ARGS_ATTR):
            left.extend(getattr(namespace, _UNRECOGNIZED_ARGS_ATTR))
            delattr(namespace, _UNRECOGNIZED_ARGS_ATTR)
        return namespace, left

    def _parse(self, texts, namespace):
        # Each argument is an option (O) or not (A); patterns over these letters say how many arguments an action takes.
        if self.fromfile_prefix_chars is not None:
            texts = self._from_files(texts)
        options, letters, rest = {}, [], False
        for i, text in enumerate(texts):
            if rest:
                letters.append('A')
            elif text == '--':
                letters.append('-')
                rest = True
            else:
                found = self._parse_optional(text)
                letters.append('A' if found is None else 'O')
                if found is not None:
                    options[i] = found
        letters = ''.join(letters)
        seen, seen_non_default, extras = set(), set(), []

        def take(action, arguments, option=None):
            seen.add(action)
            values = self._get_values(action, arguments)
            if values is not action.default:
                seen_non_default.add(action)
                for group in self._mutually_exclusive_groups:
                    if action in group._group_actions:
                        for other in group._group_actions:
                            if other is not action and other in seen_non_default:
                                raise ArgumentError(action, f'not allowed with argument {_argument_name(other)}')
            if values is not SUPPRESS:
                action(self, namespace, values, option)

        def take_optional(start):
            action, option, explicit = options[start]
            if action is None:
                extras.append(texts[start])
                return start + 1
            found = []
            while True:
                if explicit is None:
                    begin = start + 1
                    count = self._match_argument(action, letters[begin:])
                    found.append((action, texts[begin:begin + count], option))
                    stop = begin + count
                    break
                count = self._match_argument(action, 'A')
                if count == 0 and option[1] not in self.prefix_chars and explicit != '':
                    # -xyz is -x -y -z if x takes no argument.
                    found.append((action, [], option))
                    option = option[0] + explicit[0]
                    explicit = explicit[1:] or None
                    if option not in self._option_string_actions:
                        raise ArgumentError(action, f'ignored explicit argument {(option[1:] + (explicit or ""))!r}')
                    action = self._option_string_actions[option]
                elif count == 1:
                    found.append((action, [explicit], option))
                    stop = start + 1
                    break
                else:
                    raise ArgumentError(action, f'ignored explicit argument {explicit!r}')
            for each in found:
                take(*each)
            return stop

        positionals = [action for action in self._actions if not action.option_strings]

        def take_positionals(start):
            counts = self._match_partial(positionals, letters[start:])
            for action, count in zip(list(positionals), counts):
                arguments = texts[start:start + count]
                start += count
                take(action, arguments)
            del positionals[:len(counts)]
            return start

        at, last = 0, max(options, default=-1)
        while at <= last:
            following = min(i for i in options if i >= at)
            if at != following:
                stop = take_positionals(at)
                if stop > at:
                    at = stop
                    continue
            if at not in options:
                extras += texts[at:following]
                at = following
            at = take_optional(at)
        stop = take_positionals(at)
        extras += texts[stop:]
        missing = []
        for action in self._actions:
            if action in seen:
                continue
            if action.required:
                missing.append(_argument_name(action))
            elif action.default is not None and isinstance(action.default, str) and hasattr(namespace, action.dest) and (
                    action.default is getattr(namespace, action.dest)):
                setattr(namespace, action.dest, self._get_value(action, action.default))
        if missing:
            self.error(f'the following arguments are required: {", ".join(map(str, missing))}')
        for group in self._mutually_exclusive_groups:
            if group.required and not any(action in seen_non_default for action in group._group_actions):
                names = [_argument_name(action) for action in group._group_actions if action.help is not SUPPRESS]
                self.error(f'one of the arguments {" ".join(names)} is required')
        return namespace, extras

    def _from_files(self, texts):
        result = []
        for text in texts:
            if not text or text[0] not in self.fromfile_prefix_chars:
                result.append(text)
                continue
            try:
                with open(text[1:]) as file:
                    lines = [part for line in file.read().splitlines() for part in self.convert_arg_line_to_args(line)]
            except OSError as err:
                self.error(str(err))
            result += self._from_files(lines)
        return result

    def convert_arg_line_to_args(self, arg_line):
        return [arg_line]

    def _match_argument(self, action, letters):
        found = re.match(self._pattern(action), letters)
        if found is None:
            expected = {None: 'expected one argument', OPTIONAL: 'expected at most one argument',
                        ONE_OR_MORE: 'expected at least one argument'}.get(action.nargs)
            if expected is None:
                expected = f'expected {action.nargs} argument{"" if action.nargs == 1 else "s"}'
            raise ArgumentError(action, expected)
        return len(found[1])

    def _match_partial(self, actions, letters):
        for n in range(len(actions), 0, -1):
            found = re.match(''.join(map(self._pattern, actions[:n])), letters)
            if found is not None:
                return [len(it) for it in found.groups()]
        return []

    def _pattern(self, action):
        nargs = action.nargs
        if nargs is None:
            pattern = '(-*A-*)'
        elif nargs == OPTIONAL:
            pattern = '(-*A?-*)'
        elif nargs == ZERO_OR_MORE:
            pattern = '(-*[A-]*)'
        elif nargs == ONE_OR_MORE:
            pattern = '(-*A[A-]*)'
        elif nargs == REMAINDER:
            pattern = '([-AO]*)'
        elif nargs == PARSER:
            pattern = '(-*A[-AO]*)'
        elif nargs == SUPPRESS:
            pattern = '(-*-*)'
        else:
            pattern = f'(-*{"-*".join("A" * nargs)}-*)'
        return pattern.replace('-*', '').replace('-', '') if action.option_strings else pattern

    def _parse_optional(self, text):
        if not text or text[0] not in self.prefix_chars:
            return None
        if text in self._option_string_actions:
            return self._option_string_actions[text], text, None
        if len(text) == 1:
            return None
        if '=' in text:
            option, explicit = text.split('=', 1)
            if option in self._option_string_actions:
                return self._option_string_actions[option], option, explicit
        found = self._option_tuples(text)
        if len(found) > 1:
            names = ', '.join(option for _, option, _ in found)
            self.error(f'ambiguous option: {text} could match {names}')
        if found:
            return found[0]
        if self._negative_number_matcher.match(text) and not self._has_negative_number_optionals:
            return None
        return None if ' ' in text else (None, text, None)

    def _option_tuples(self, text):
        result, chars = [], self.prefix_chars
        if text[0] in chars and text[1] in chars:
            if self.allow_abbrev:
                prefix, _, explicit = text.partition('=')
                explicit = explicit if '=' in text else None
                result = [(action, option, explicit) for option, action in self._option_string_actions.items() if option.startswith(prefix)]
        elif text[0] in chars and text[1] not in chars:
            for option, action in self._option_string_actions.items():
                if option == text[:2]:
                    result.append((action, option, text[2:]))
                elif option.startswith(text):
                    result.append((action, option, None))
        return result

    def _get_values(self, action, arguments):
        if action.nargs not in (PARSER, REMAINDER) and '--' in arguments:
            arguments = list(arguments)
            arguments.remove('--')
        if not arguments and action.nargs == OPTIONAL:
            value = action.const if action.option_strings else action.default
            if isinstance(value, str):
                value = self._get_value(action, value)
                self._check_value(action, value)
            return value
        if not arguments and action.nargs == ZERO_OR_MORE and not action.option_strings:
            if action.default is not None:
                return action.default
            return arguments
        if len(arguments) == 1 and action.nargs in (None, OPTIONAL):
            value = self._get_value(action, arguments[0])
            self._check_value(action, value)
            return value
        if action.nargs == REMAINDER:
            return [self._get_value(action, it) for it in arguments]
        if action.nargs == PARSER:
            values = [self._get_value(action, it) for it in arguments]
            self._check_value(action, values[0])
            return values
        if action.nargs == SUPPRESS:
            return SUPPRESS
        values = [self._get_value(action, it) for it in arguments]
        for value in values:
            self._check_value(action, value)
        return values

    def _get_value(self, action, text):
        convert = self._registry_get('type', action.type, action.type)
        try:
            return convert(text)
        except ArgumentTypeError as err:
            raise ArgumentError(action, str(err)) from None
        except (TypeError, ValueError):
            name = getattr(action.type, '__name__', repr(action.type))
            raise ArgumentError(action, f'invalid {name} value: {text!r}') from None

    def _check_value(self, action, value):
        if action.choices is not None and value not in action.choices:
            raise ArgumentError(action, f'invalid choice: {value!r} (choose from {", ".join(map(repr, action.choices))})')

    def _get_formatter(self):
        return self.formatter_class(prog=self.prog)

    def format_usage(self):
        formatter = self._get_formatter()
        formatter.add_usage(self.usage, self._actions, self._mutually_exclusive_groups)
        return formatter.format_help()

    def format_help(self):
        formatter = self._get_formatter()
        formatter.add_usage(self.usage, self._actions, self._mutually_exclusive_groups)
        formatter.add_text(self.description)
        for group in self._action_groups:
            formatter.start_section(group.title)
            formatter.add_text(group.description)
            formatter.add_arguments(group._group_actions)
            formatter.end_section()
        formatter.add_text(self.epilog)
        return formatter.format_help()

    def print_usage(self, file=None):
        self._print_message(self.format_usage(), sys.stdout if file is None else file)

    def print_help(self, file=None):
        self._print_message(self.format_help(), sys.stdout if file is None else file)

    def _print_message(self, message, file=None):
        if message:
            (sys.stderr if file is None else file).write(message)

    def exit(self, status=0, message=None):
        if message:
            self._print_message(message, sys.stderr)
        sys.exit(status)

    def error(self, message):
        self.print_usage(sys.stderr)
        self.exit(2, f'{self.prog}: error: {message}\n')

    def parse_intermixed_args(self, args=None, namespace=None):
        raise NotImplementedError('argparse.ArgumentParser.parse_intermixed_args is not in this Python')
