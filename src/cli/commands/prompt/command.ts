import { type Command, InvalidArgumentError, Option } from 'commander';
import { PERMISSION_MODES } from '../../../permissions/types.ts';
import { parseTokenAmount } from '../../../query/stop/tokenBudget.ts';
import type { SettingsSource } from '../../../session/settings/types.ts';
import { nearestName } from '../../../system/nearestName.ts';
import { UserError } from '../../../system/userError.ts';
import { DEFAULT_FLAGS, type PromptFlags } from '../../wiring/promptFlags.ts';
import { refuseForeignOptions } from './foreignOptions.ts';

const collect = (value: string, before: readonly string[] = []) => [...before, value];

/** As in Claude Code, 0 sets no limit. */
function turns(text: string): number {
  if (/^(0|[1-9]\d{0,8})$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be a whole number above 0, or 0 for no limit.');
}

function dollars(text: string): number {
  const value = Number(text.replace(/^\$/, ''));
  if (Number.isFinite(value) && value > 0) return value;
  throw new InvalidArgumentError('It must be a sum above 0, such as 2.50.');
}

function tokens(text: string): number {
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
    throw new InvalidArgumentError(`'${name.trim()}' is none of ${SOURCES.join(', ')}.`);
  });
}

/** `stopgate -p "…"`: a headless session. Flags are Claude Code's where it has them. */
export function addPromptOptions(program: Command, setExitCode: (code: number) => void): void {
  addSessionOptions(program)
    .argument('[prompt]', 'what to do; read from stdin as well when that is a pipe')
    .option('-p, --print', 'run one prompt without asking anything, then exit')
    .addOption(
      new Option('--output-format <format>', 'how to print').choices(['text', 'json', 'stream-json']).default('text'),
    )
    .option('--verbose', 'accepted for compatibility: stream-json always has every message')
    .option('--include-partial-messages', 'stream-json: pieces of answers as they come')
    .option('--include-hook-events', 'stream-json: when each hook starts and what it answered')
    .option('--model <model>', 'provider/model, an alias such as sonnet, or scripted:FILE')
    .option(
      '--fallback-model <models>',
      'asked in this order when the model is overloaded or fails: "haiku,openai/gpt-5"',
    )
    .option('--max-turns <n>', 'end after this many model requests, each subagent too; 0 for no limit', turns)
    .option('--max-budget-usd <amount>', 'end before a request once this much is spent', dollars)
    .option('--token-budget <tokens>', 'go on until this many output tokens are used, such as 500k', tokens)
    .option('--token-limit <tokens>', 'end before a request once this many output tokens are used', tokens)
    .option('--allowedTools, --allowed-tools <rules...>', 'allow rules, such as "Bash(git *),Edit(src/**)"')
    .option('--tools <names...>', 'offer only these tools: "Bash,Read", "" for none, default for all')
    .option('--disallowedTools, --disallowed-tools <rules...>', 'deny rules; a bare tool name removes the tool')
    .addOption(new Option('--permission-mode <mode>', 'what needs no rule').choices(PERMISSION_MODES))
    .option('--dangerously-skip-permissions', 'the same as --permission-mode bypassPermissions')
    .option('--add-dir <directory>', 'another folder the agent may work in (repeatable)', collect)
    .option('--settings <file-or-json>', 'more settings, above all but managed ones')
    .option('--setting-sources <list>', 'which files to read: user,project,local', settingSources)
    .option('--trust-project', "honor the project's own hooks, allow rules and environment")
    .option('--require-proof', 'exit with 123 unless the checks of stopgate.config.json passed')
    .option('--require-sandbox', 'run commands in the sandbox, and refuse to run where there is none')
    .option('-c, --continue', "go on with this folder's latest session")
    .option('-r, --resume <session>', 'go on with a session by its id or the beginning of it')
    .option('--fork-session', 'with --resume or --continue: go on in a copy, under a new id')
    .option('--session-id <id>', 'the id of a new session')
    .option('--no-session-persistence', 'write no transcript: this session cannot be resumed')
    .option('--init', 'run the Setup hooks (trigger init) before the session')
    .option('--init-only', 'run the Setup and SessionStart hooks, then exit')
    .option('--maintenance', 'run the Setup hooks (trigger maintenance) before the session')
    .option('--system-prompt <text>', 'in place of the built-in system prompt')
    .option('--append-system-prompt <text>', 'after the built-in system prompt')
    .option('--agents <json-or-file>', 'more kinds of subagent: {"NAME": {"description": "…", "prompt": "…"}}')
    .option('--bare', 'no hooks from files, no project instructions, nothing after the turn')
    // an option that we have too is taken by us wherever it stands
    .hook('preAction', (_, command) => {
      refuseForeignOptions(program, command);
      const { store } = program.opts<{ store?: string }>();
      if (store !== undefined && command !== program) command.setOptionValue('store', store);
    })
    .action(async (prompt: string | undefined, options: Record<string, unknown>) => {
      if (options.initOnly) {
        const { runInitOnly } = await import('./runInitOnly.ts');
        return setExitCode(await runInitOnly(flagsFrom(options)));
      }
      if (!options.print) {
        if (prompt === undefined && process.stdin.isTTY) return program.outputHelp();
        if (prompt === undefined)
          throw new UserError(
            'Stopgate works headless: write stopgate -p, with the prompt behind it or piped in. stopgate --help shows more.',
          );
        throw new UserError(withoutPrint(program, prompt));
      }
      const { runPromptCommand } = await import('./runPromptCommand.ts');
      setExitCode(await runPromptCommand(prompt, flagsFrom(options)));
    });
}

/** Who the agent is and what works with it: servers, and a team. */
function addSessionOptions(program: Command): Command {
  return program
    .addOption(
      new Option('--input-format <format>', 'stream-json: prompts as JSON lines on stdin, one turn each')
        .choices(['text', 'stream-json'])
        .default('text'),
    )
    .option('--agent <name>', 'be this kind of agent: its prompt, tools and model for the whole session')
    .option('--mcp-config <file-or-json...>', 'MCP servers whose tools the agent gets, as .mcp.json has them')
    .option('--strict-mcp-config', 'use the MCP servers of --mcp-config alone')
    .option('--team <team>', "work on this team's task list (with --name)")
    .option('--name <name>', 'the name of this agent in its team')
    .option('--store <place>', "where the team's tasks are: a file or postgres://… (else STOPGATE_STORE)");
}

/** One word that is nearly a command was probably meant as one. */
function withoutPrint(program: Command, prompt: string): string {
  const meant = nearestName(
    prompt,
    program.commands.map((command) => command.name()),
  );
  const sentence = `Stopgate works headless: write stopgate -p ${JSON.stringify(prompt)}.`;
  return meant === undefined ? sentence : `There is no command ${prompt}; did you mean stopgate ${meant}? ${sentence}`;
}

function flagsFrom(options: Record<string, unknown>): PromptFlags {
  const { print: _print, debug: _debug, dangerouslySkipPermissions, init, maintenance, ...flags } = options;
  const given = flags as Partial<PromptFlags>;
  if (given.resume !== undefined && given.continue) {
    throw new UserError('--resume and --continue both choose a session; give one of them.');
  }
  if (given.forkSession && given.resume === undefined && !given.continue) {
    throw new UserError('--fork-session needs --resume or --continue: which session to copy.');
  }
  if (given.inputFormat === 'stream-json' && given.outputFormat !== 'stream-json') {
    throw new UserError(
      '--input-format stream-json needs --output-format stream-json: each prompt has a result of its own.',
    );
  }
  if ((given.team === undefined) !== (given.name === undefined)) {
    throw new UserError('--team and --name belong together: which team, and who in it.');
  }
  return {
    ...DEFAULT_FLAGS,
    ...given,
    ...(dangerouslySkipPermissions ? { permissionMode: 'bypassPermissions' } : {}),
    ...setupOf(Boolean(init || given.initOnly), Boolean(maintenance)),
  };
}

/** As in Claude Code, --init wins over --maintenance. */
function setupOf(init: boolean, maintenance: boolean): Pick<PromptFlags, 'setup'> {
  if (init) return { setup: 'init' };
  return maintenance ? { setup: 'maintenance' } : {};
}
