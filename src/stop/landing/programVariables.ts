import type { ShellPart } from '../../permissions/shell/shellTypes.ts';
import { EDITING_FLAGS } from '../../permissions/shell/testCommands.ts';
import { commandName } from '../../permissions/shell/unwrapCommand.ts';

/** These name a program that git or another tool runs. */
const EDITOR = /^(?:(?:GIT_)?(?:SEQUENCE_)?EDITOR|VISUAL|(?:GIT_|MAN)?PAGER|(?:HG|SVN|JJ|FCEDIT)_?EDITOR)$/;
const HARMLESS_PROGRAM = /^(?:(?:\/usr)?\/bin\/)?(?:true|:|cat|less|more|)$/;
/** Their value is run or loaded. */
const CODE =
  /^(?:BASH_ENV|PROMPT_COMMAND|LD_(?:PRELOAD|AUDIT)|DYLD_INSERT_LIBRARIES|PERL5(?:OPT|DB)|PYTHONSTARTUP|GIT_(?:SSH|ASKPASS|EXTERNAL_DIFF|PROXY_COMMAND|EXEC_PATH|TEMPLATE_DIR|CONFIG.*)|SSH_ASKPASS|npm_config_(?:script_shell|shell|editor|node_options|(?:user|global)config))$/i;
/** With these, tests overwrite their expected results; `NO_UPDATE_NOTIFIER` and the like do not count. */
const UPDATES =
  /^(?!(?:.*_)?(?:NO|SKIP|DISABLE|IGNORE|CHECK|NOTIFIER)(?:_|$))(?:UPDATE(?:_\w+)?|\w+_UPDATE(?:_\w+)?|BLESS|REGEN(?:ERATE)?(?:_\w+)?|RECORD|\w+_RECORD(?:_\w+)?)$/i;
const OFF = /^(?:|0|no|none|never|false|off)$/i;

type Rule = readonly [name: RegExp, isProgram: (value: string) => boolean];

const RULES: readonly Rule[] = [
  [EDITOR, (value) => !HARMLESS_PROGRAM.test(value)],
  [/^GIT_SSH_COMMAND$/, (value) => !/^ssh(?:\s|$)/.test(value) || /(?:Proxy|Local|KnownHosts)Command/i.test(value)],
  [
    /^NODE_OPTIONS$/,
    (value) => /(?:^|\s)(?:-r|-e|--(?:require|import|eval|loader|experimental-loader|env-file))\b/.test(value),
  ],
  [/^SHELL$/, (value) => !/^(?:\/usr(?:\/local)?)?\/bin\/(?:ba|da|z|k)?sh$/.test(value)],
  [/^(?:GNU)?MAKEFLAGS$/, (value) => /SHELL|--eval|(?:^|\s)(?:-f|--(?:make)?file)/.test(value)],
  [/^RUBYOPT$/, (value) => /(?:^|\s)-[rIe]/.test(value)],
  [
    /^(?:JAVA_TOOL_OPTIONS|JDK_JAVA_OPTIONS|MAVEN_OPTS|GRADLE_OPTS)$/,
    (value) => /-(?:javaagent|agent(?:path|lib)|Xbootclasspath)/.test(value),
  ],
  [CODE, () => true],
  [UPDATES, (value) => !OFF.test(value)],
  [/(?:OPTS|OPTIONS|ARGS|FLAGS)$/, (value) => value.split(/\s+/).some((word) => EDITING_FLAGS.test(word))],
];

/** Commands that set variables for what follows, or for what they run. */
const SETTERS = new Set('export declare local readonly typeset env'.split(' '));

/** Whether a command sets a variable that makes a harmless one edit: `GIT_EDITOR='sed -i …' git rebase --continue`. */
export function setsProgram({ words, assignments }: ShellPart): boolean {
  const [program = '', ...args] = words.map(({ text }) => text);
  const set = SETTERS.has(commandName(program)) ? args : [];
  const settings = [...assignments.map(({ raw }) => unquoted(raw)), ...set.filter((word) => /^\w+\+?=/.test(word))];
  return settings.some(isProgram);
}

function isProgram(setting: string): boolean {
  const [, name, value = ''] = /^(\w+)\+?=(.*)$/s.exec(setting) ?? [];
  return name !== undefined && RULES.some(([pattern, decide]) => pattern.test(name) && decide(value.trim()));
}

/** Good enough here: oddly quoted values are not among the harmless ones. */
const unquoted = (raw: string) => raw.replaceAll(/["']/g, '');
