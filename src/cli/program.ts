import type { Command } from 'commander';
import { nearestName } from '../system/nearestName.ts';
import { ownValue } from '../system/ownValue.ts';
import { terminalText } from '../system/terminalText.ts';
import { version } from '../system/version.ts';
import { addAccountCommand } from './commands/account/command.ts';
import { addAskCommand } from './commands/ask/command.ts';
import { addBaselineCommand } from './commands/baseline/command.ts';
import { addDemoCommand } from './commands/demo/command.ts';
import { addFleetCommand } from './commands/fleet/command.ts';
import { addHelpCommand, unknownCommand } from './commands/help/command.ts';
import { addHookCommand } from './commands/hook/command.ts';
import { addHooksCommand } from './commands/hooks/command.ts';
import { addHostsCommand } from './commands/hosts/command.ts';
import { addInitCommand } from './commands/init/command.ts';
import { addLaunchCommand } from './commands/launch/command.ts';
import { addListCommand } from './commands/list/command.ts';
import { addPromptOptions, FOR_ALL } from './commands/prompt/command.ts';
import { addReceiptCommand } from './commands/receipt/command.ts';
import { addRemoveCommand } from './commands/remove/command.ts';
import { addReportCommand } from './commands/report/command.ts';
import { addRestoreCommand } from './commands/restore/command.ts';
import { addReviewCommand } from './commands/review/command.ts';
import { addSimulateCommand } from './commands/simulate/command.ts';
import { addStatusCommand } from './commands/status/command.ts';
import { addStoreCommand } from './commands/store/command.ts';
import { addTaskCommand } from './commands/task/command.ts';
import { addTrustCommand } from './commands/trust/command.ts';
import { addWaiveCommand } from './commands/waive/command.ts';
import { addWhyCommand } from './commands/why/command.ts';
import { addWorkerCommand } from './commands/worker/command.ts';
import { FittingCommand } from './output/fittingCommand.ts';
import { refuseEmptyNames } from './wiring/refuseEmptyNames.ts';
import { VERBS, verbOf } from './wiring/standing/verbs.ts';

const ABOUT = 'Stopgate decides when an AI agent may stop.';

const EXAMPLES = `
Examples:
  $ stopgate demo                                  watch a whole session; no key needed
  $ stopgate -p "fix the failing test" --allowedTools "Bash(npm test),Edit"
  $ git diff | stopgate -p "review this change"
  $ stopgate -p "continue" --continue --output-format json
  $ stopgate -p "…" --model openai/gpt-5 --max-turns 40 --max-budget-usd 2

Exit codes:
  0 the turn ended by itself    1 it failed or hit a limit    2 usage error
  75 the session is in use by another process
  121 no work: no tool call, no answer (text output)
  122 left running: background work or processes were ended with the session, and no checks passed
  123 the checks did not pass (with --require-proof)
  130 interrupted (Ctrl-C)      143 terminated                70 a bug in stopgate

Models: anthropic/…, openai/…, google/…, http://HOST/v1#MODEL, scripted:FILE. Keys are read from the usual variables
(ANTHROPIC_API_KEY, OPENAI_API_KEY, GEMINI_API_KEY).`;

/** The program with the options of `-p` and no commands: its only argument is a prompt. */
function buildPromptProgram(setExitCode: (code: number) => void): Command {
  const program = new FittingCommand('stopgate')
    .description(ABOUT)
    .version(version, '-v, --version', 'print the version')
    .option('--debug', 'show the stack of an error')
    .helpOption('-h, --help', 'show this help')
    .addHelpText('after', EXAMPLES)
    .showSuggestionAfterError()
    .exitOverride()
    .configureOutput({ outputError: (text, write) => write(ownError(text)) });
  program.hook('preAction', async (_, command) => {
    refuseEmptyNames(command);
    if (VERBS[verbOf(command)] !== 'person') return;
    const { refuseAgents } = await import('./wiring/standing/refuseAgents.ts');
    refuseAgents(command);
  });
  addPromptOptions(program, setExitCode);
  return program;
}

const INVALID =
  /^error: option '(?:-\w, )?(--[\w-]+)[^']*' argument '([\s\S]*)' is invalid\. It (must be [\s\S]*)\.\n$/;

/** Errors of Commander as our own: `--max-turns must be a whole number above 0, got "x".` */
const ownError = (text: string) =>
  terminalText(text.replace(INVALID, 'stopgate: $1 $3, got "$2".\n').replace(/^error: /, 'stopgate: '));

const MAY_PRINT = /^(?:--print|-[a-zA-Z]*p)/;

/**
 * Whether the arguments are a prompt and its options. `stopgate -p status` is a prompt, with `-p` in any position; more
 * than one word (`launch claude -p …`) is a command, which reports its own errors.
 */
function isPrompt(words: readonly string[]): boolean {
  if (!words.some((word) => MAY_PRINT.test(word))) return false;
  const program = buildPromptProgram(() => {});
  const { operands, unknown } = program.parseOptions([...words]);
  return program.opts<{ print?: boolean }>().print === true && operands.length <= 1 && unknown.length === 0;
}

/** In the order of the help. */
const COMMANDS: Readonly<Record<string, (program: Command, setExitCode: (code: number) => void) => void>> = {
  demo: addDemoCommand,
  init: addInitCommand,
  remove: addRemoveCommand,
  hosts: addHostsCommand,
  hook: addHookCommand,
  hooks: addHooksCommand,
  trust: addTrustCommand,
  waive: addWaiveCommand,
  baseline: addBaselineCommand,
  launch: addLaunchCommand,
  restore: addRestoreCommand,
  task: addTaskCommand,
  worker: addWorkerCommand,
  fleet: addFleetCommand,
  review: addReviewCommand,
  account: addAccountCommand,
  store: addStoreCommand,
  simulate: addSimulateCommand,
  status: addStatusCommand,
  why: addWhyCommand,
  receipt: addReceiptCommand,
  report: addReportCommand,
  list: addListCommand,
  ask: addAskCommand,
  help: addHelpCommand,
};

/** The program for these arguments, only with the command that they name; its code is loaded when it runs. */
export function buildProgram(words: readonly string[], setExitCode: (code: number) => void): Command {
  const program = buildPromptProgram(setExitCode);
  if (isPrompt(words)) return program;
  const named = words[0] === 'help' ? undefined : ownValue(COMMANDS, words[0]);
  for (const add of named ? [named] : Object.values(COMMANDS)) add(program, setExitCode);
  program.configureOutput({ outputError: (text, write) => write(ownError(meantAs(program, text))) });
  for (const command of program.commands) suggestOwnOptions(command, [flagsOf(program, FOR_ALL)]);
  return program;
}

const SUGGESTION = /\n\(Did you mean .*\?\)/;

/** Commander also suggests options of the program, which a command refuses. */
function suggestOwnOptions(command: Command, above: readonly (readonly string[])[]): void {
  const flags = [...above, flagsOf(command)];
  command.configureOutput({
    outputError: (text, write) => {
      const [, wrong] = /^error: unknown option '(\S+?)[='].*/.exec(text) ?? [];
      const meant = wrong === undefined ? undefined : nearestName(wrong, flags.flat());
      const hint = meant === undefined ? '' : `\n(Did you mean ${meant}?)`;
      write(
        ownError(wrong === undefined ? withNextStep(command, meantAs(command, text)) : text.replace(SUGGESTION, hint)),
      );
    },
  });
  for (const one of command.commands) suggestOwnOptions(one, flags);
}

const MISSING = /^error: (?:missing required argument '([\w-]+)'|required option '([^']+)' not specified)\n$/;

/** What is missing, and where to read on. */
const withNextStep = (command: Command, text: string) =>
  text.replace(MISSING, (_, argument?: string, option = '') => {
    const name = `stopgate ${verbOf(command)}`;
    return `error: ${name} needs ${argument === undefined ? option : `<${argument}>`}; \`${name} --help\` has examples.\n`;
  });

const EXCESS = /^error: too many arguments(?: for '\S+')?/;

/** Too many words for what a group does by default: the first one was meant as a command of the group. */
function meantAs(command: Command, text: string): string {
  const group = command.parent ?? command;
  const [word = ''] = group.args;
  if (!EXCESS.test(text) || word === command.name()) return text;
  const unknown = unknownCommand(word, group);
  if (unknown.includes('\n')) return `${unknown}\n`;
  if (command === group) return `${unknown}; a prompt of several words needs quotes\n`;
  // the word may be an argument of the command that the group runs by default
  return command.registeredArguments.length > 0 ? text.replace(EXCESS, 'error: too many arguments') : `${unknown}\n`;
}

const flagsOf = ({ options }: Command, only?: ReadonlySet<string>): readonly string[] =>
  options.flatMap((option) => (only?.has(option.attributeName()) === false ? [] : (option.long ?? [])));
