import { type Command, InvalidArgumentError, Option } from 'commander';
import { PERMISSION_MODES, type PermissionMode } from '../../../permissions/types.ts';
import { parseTokenAmount } from '../../../query/stop/tokenBudget.ts';
import type { SettingsSource } from '../../../session/settings/types.ts';
import { nearestName } from '../../../system/nearestName.ts';
import { isStdinPiped } from '../../../system/readStdin.ts';
import { UserError } from '../../../system/userError.ts';
import { DEFAULT_FLAGS, type PromptFlags } from '../../wiring/promptFlags.ts';

const collect = (value: string, before: readonly string[] = []) => [...before, value];

/** As in Claude Code, 0 sets no limit. */
function turns(text: string): number {
  if (/^(0|[1-9]\d{0,8})$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be a whole number above 0, or 0 for no limit.');
}

export function dollars(text: string): number {
  const value = Number(text.replace(/^\$/, ''));
  if (Number.isFinite(value) && value > 0) return value;
  throw new InvalidArgumentError('It must be an amount above 0, such as 2.50.');
}

/** `manual` is Claude Code's other name of the default mode. */
function permissionMode(text: string): PermissionMode {
  const mode = text === 'manual' ? 'default' : PERMISSION_MODES.find((known) => known === text);
  if (mode !== undefined) return mode;
  throw new InvalidArgumentError(`Allowed choices are ${PERMISSION_MODES.join(', ')}.`);
}

export function tokens(text: string): number {
  const amount = parseTokenAmount(text);
  if (amount !== null) return amount;
  throw new InvalidArgumentError('It must be a number of tokens above 0, such as 500k or 2m.');
}

const SOURCES: readonly SettingsSource[] = ['user', 'project', 'local'];

function settingSources(text: string): SettingsSource[] {
  return text.split(',').flatMap((name) => {
    const source = SOURCES.find((known) => known === name.trim());
    if (source) return [source];
    if (name.trim() === '') return [];
    throw new InvalidArgumentError(`'${name.trim()}' is not one of ${SOURCES.join(', ')}.`);
  });
}

/** `stopgate -p "…"`: a headless session. Flags are Claude Code's where it has them. */
export function addPromptOptions(program: Command, setExitCode: (code: number) => void): void {
  addSessionOptions(program)
    .argument('[prompt]', 'the task; piped stdin is added to it')
    .option('-p, --print', 'run one prompt without interaction, then exit (default on a terminal: a session)')
    .addOption(
      new Option('--output-format <format>', 'output format').choices(['text', 'json', 'stream-json']).default('text'),
    )
    .option('--verbose', 'accepted for compatibility: stream-json always has all messages')
    .option('--include-partial-messages', 'stream-json: include partial answers as they arrive')
    .option('--include-hook-events', 'stream-json: include the start and the answer of each hook')
    .option('--model <model>', 'provider/model, an alias such as sonnet, or scripted:FILE')
    .option(
      '--fallback-model <models>',
      'used in this order when the model is overloaded or fails: "haiku,openai/gpt-5"',
    )
    .option('--max-turns <n>', 'end after this many model requests, also per subagent; 0 for no limit', turns)
    .option('--max-budget-usd <amount>', 'send no more requests once this amount is spent', dollars)
    .option('--token-budget <tokens>', 'keep working until this many output tokens are used, such as 500k', tokens)
    .option('--token-limit <tokens>', 'send no more requests once this many output tokens are used', tokens)
    .option('--allowedTools, --allowed-tools <rules...>', 'allow rules, such as "Bash(git *),Edit(src/**)"')
    .option('--tools <names...>', 'offer only these tools: "Bash,Read", "" for none, default for all')
    .option('--disallowedTools, --disallowed-tools <rules...>', 'deny rules; a bare tool name removes the tool')
    .addOption(
      new Option('--permission-mode <mode>', 'what is allowed without a rule')
        .choices(PERMISSION_MODES)
        .argParser(permissionMode),
    )
    .option('--dangerously-skip-permissions', 'the same as --permission-mode bypassPermissions')
    .option('--add-dir <directory>', 'an additional folder that the agent may work in (repeatable)', collect)
    .option('--settings <file-or-json>', 'additional settings; only managed ones take precedence')
    .option('--setting-sources <list>', 'which files to read: user,project,local', settingSources)
    .option('--trust-project', "trust the project's own hooks, allow rules and environment for this run")
    .option('--require-proof', 'exit with 123 unless the checks of stopgate.config.json passed')
    .option('--require-sandbox', 'run commands in the sandbox, or exit if there is no sandbox')
    .option('-c, --continue', "continue this folder's latest session")
    .option('-r, --resume <session>', 'continue a session, by its name, its id or the beginning of its id')
    .option('--fork-session', 'with --resume or --continue: continue in a copy with a new id')
    .option('--session-id <id>', 'the id of a new session')
    .option('--no-session-persistence', 'write no transcript; the session cannot be resumed')
    .option('--init', 'run the Setup hooks (trigger init) before the session')
    .option('--init-only', 'run the Setup and SessionStart hooks, then exit')
    .option('--maintenance', 'run the Setup hooks (trigger maintenance) before the session')
    .option('--system-prompt <text>', 'replaces the built-in system prompt')
    .option('--append-system-prompt <text>', 'added after the built-in system prompt')
    .option('--agents <json-or-file>', 'additional kinds of subagents: {"NAME": {"description": "…", "prompt": "…"}}')
    .option('--plain', 'a terminal session of plain lines, for screen readers and dumb terminals')
    .option('--bare', 'no hooks from files, no project instructions, no background work after the turn')
    // the program takes its own options from any position, also after a command
    .hook('preAction', (_, command) => {
      refuseForeignOptions(program, command);
      const { store } = program.opts<{ store?: string }>();
      if (store !== undefined && command !== program) command.setOptionValue('store', store);
    })
    .action(async (prompt: string | undefined, options: Record<string, unknown>) =>
      setExitCode(await runProgram(program, prompt, options)),
    );
}

/** Without a command: a session on a terminal, or one prompt. */
async function runProgram(program: Command, prompt: string | undefined, options: Record<string, unknown>) {
  if (options.initOnly) {
    const { runInitOnly } = await import('./runInitOnly.ts');
    return runInitOnly(flagsFrom(options));
  }
  const isMeant = prompt === undefined || meantCommand(program, prompt) === undefined;
  if (!options.print && isTerminal() && isMeant) {
    const { runTerminalSession } = await import('../session/runTerminalSession.ts');
    return runTerminalSession(prompt, flagsFrom(options));
  }
  if (!options.print && prompt !== undefined) throw new UserError(withoutPrint(program, prompt));
  if (!options.print && !isStdinPiped()) throw new UserError(NO_TERMINAL);
  const { runPromptCommand } = await import('./runPromptCommand.ts');
  return runPromptCommand(prompt, flagsFrom(options), { mayWait: options.print === true });
}

const NO_TERMINAL =
  'A session needs a terminal; without one use stopgate -p "PROMPT", or pipe the prompt in. See stopgate --help.';

/** Input, identity, MCP servers and team of the agent. */
function addSessionOptions(program: Command): Command {
  return program
    .addOption(
      new Option('--input-format <format>', 'input format; stream-json: prompts as JSON lines on stdin, one turn each')
        .choices(['text', 'stream-json'])
        .default('text'),
    )
    .option('--agent <name>', 'run as this kind of agent: its prompt, tools and model for the whole session')
    .option('--mcp-config <file-or-json...>', 'MCP servers for the agent, in the format of .mcp.json')
    .option('--strict-mcp-config', 'use only the MCP servers of --mcp-config')
    .option('--team <team>', "work on this team's task list (with --name)")
    .option('--name <name>', 'the name of this agent in its team')
    .option('--store <place>', "the store of the team's tasks: a file or postgres://… (default: STOPGATE_STORE)");
}

/** A person can read and type. */
const isTerminal = () => process.stdin.isTTY === true && process.stdout.isTTY === true;

/** A word close to a command's name was probably meant as the command. */
const meantCommand = (program: Command, prompt: string) =>
  nearestName(
    prompt,
    program.commands.map((command) => command.name()),
  );

function withoutPrint(program: Command, prompt: string): string {
  const meant = meantCommand(program, prompt);
  const sentence = `Without a terminal, use stopgate -p ${JSON.stringify(prompt)}.`;
  return meant === undefined ? sentence : `Unknown command ${prompt}; did you mean stopgate ${meant}? ${sentence}`;
}

function flagsFrom(options: Record<string, unknown>): PromptFlags {
  const { print: _print, debug: _debug, dangerouslySkipPermissions, init, maintenance, ...flags } = options;
  const given = flags as Partial<PromptFlags>;
  if (given.resume !== undefined && given.continue) {
    throw new UserError('--resume and --continue both choose a session; use only one of them.');
  }
  if (given.forkSession && given.resume === undefined && !given.continue) {
    throw new UserError('--fork-session needs --resume or --continue to choose the session to copy.');
  }
  if (given.inputFormat === 'stream-json' && given.outputFormat !== 'stream-json') {
    throw new UserError(
      '--input-format stream-json needs --output-format stream-json: each prompt gets its own result.',
    );
  }
  if ((given.team === undefined) !== (given.name === undefined)) {
    throw new UserError('--team and --name must be used together.');
  }
  return {
    ...DEFAULT_FLAGS,
    ...given,
    ...(dangerouslySkipPermissions ? { permissionMode: 'bypassPermissions' } : {}),
    // as in Claude Code, --init wins over --maintenance
    ...(init || given.initOnly ? { setup: 'init' } : maintenance ? { setup: 'maintenance' } : {}),
  };
}

/** Options of the program that apply to every command. */
export const FOR_ALL: ReadonlySet<string> = new Set(['debug', 'store']);

/**
 * Commander gives an option that the program has to the program, in any position. A command without that option would ignore
 * it: `stopgate launch --disallowedTools "Bash(git push *)" …` would start an agent that may push.
 */
function refuseForeignOptions(program: Command, command: Command): void {
  if (command === program) return;
  const known = new Set(pathOf(command).flatMap(({ options }) => options.map((option) => option.attributeName())));
  const foreign = program.options.filter((option) => isGiven(program, option) && !known.has(option.attributeName()));
  const [first] = foreign.filter((option) => !FOR_ALL.has(option.attributeName()));
  if (first === undefined) return;
  const name = pathOf(command)
    .map((one) => one.name())
    .join(' ');
  const passesArgumentsOn = command.registeredArguments.some(({ variadic }) => variadic);
  const fix = passesArgumentsOn ? 'options of the agent go after --' : `stopgate ${name} --help lists its options`;
  throw new UserError(`${first.long ?? first.short} is not an option of stopgate ${name}; ${fix}.`);
}

const isGiven = (program: Command, option: Option) => program.getOptionValueSource(option.attributeName()) === 'cli';

/** The command and the groups it is in, without the program itself. */
function pathOf(command: Command): Command[] {
  return command.parent === null ? [] : [...pathOf(command.parent), command];
}
