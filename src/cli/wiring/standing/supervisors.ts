import { HOSTS } from '../../../hosts/all.ts';
import { WORKER } from '../../../stop/worker/workerIdentity.ts';
import { type Ancestor, folderOfProcess, startEnvironment } from '../../../system/ancestors.ts';
import { MARKS } from '../../../system/marks.ts';
import { stopgateHome } from '../../../system/stopgateHome.ts';
import { VERBS } from './verbs.ts';

/** Commands that start agents: every process below them belongs to an agent. */
export type SupervisorKind = 'worker' | 'launch' | 'prompt' | 'session' | 'host';

/** An ancestor process that runs an agent. */
export interface Supervisor extends Ancestor {
  readonly kind: SupervisorKind;
  /** Null where the system does not provide it. */
  readonly folder: string | null;
  readonly home: string | null;
  /** The start environment of its agent, before the agent could change it; null where the system does not provide it. */
  readonly agentEnv: Readonly<Record<string, string>> | null;
}

/** The nearest first; `hosts`: also other agents that a person started by hand. */
export function supervisorsAmong(ancestors: readonly Ancestor[], { hosts = false } = {}): readonly Supervisor[] {
  return ancestors.flatMap((ancestor, index) => {
    const isHost = hosts && HOSTS.some((host) => host.isProcess?.(ancestor.words));
    const kind = supervisorKind(ancestor.words) ?? (isHost ? 'host' : null);
    if (kind === null) return [];
    const env = startEnvironment(ancestor.pid);
    return [
      {
        ...ancestor,
        kind,
        folder: folderOfProcess(ancestor.pid),
        home: env === null ? null : stopgateHome(env),
        agentEnv: MARKS_ITS_AGENT.has(kind) ? agentEnvironment(ancestors.slice(0, index)) : env,
      },
    ];
  });
}

/** The others run their agent in their own process. */
const MARKS_ITS_AGENT: ReadonlySet<SupervisorKind> = new Set(['worker', 'launch']);

/** Of the highest process below the supervisor that has its marks: our spawn helper may be in between. */
function agentEnvironment(below: readonly Ancestor[]): Readonly<Record<string, string>> | null {
  for (const { pid } of below.toReversed()) {
    const env = startEnvironment(pid);
    if (env !== null && (WORKER in env || MARKS.launch in env)) return env;
  }
  return null;
}

const NAMES = new Set(['stopgate', 'stopgate.js']);
const RUNTIME = /(?:^|\/)(?:node|nodejs|bun|deno)[\d.]*$/;
/** The script of a process comes after its interpreter and the interpreter's options. */
const FIRST_WORDS = 12;

/** Null when the command line is not a Stopgate that runs an agent. */
export function supervisorKind(words: readonly string[]): SupervisorKind | null {
  const at = words.slice(0, FIRST_WORDS).findIndex((word) => NAMES.has(word.slice(word.lastIndexOf('/') + 1)));
  if (at === -1) return null;
  // `timeout 10 stopgate worker run` only names it; the process that runs it is below
  if (at > 0 && !RUNTIME.test(words[0] ?? '')) return null;
  const args = words.slice(at + 1);
  const end = args.indexOf('--');
  const own = end === -1 ? args : args.slice(0, end);
  const [command, verb] = withoutOptions(own);
  if (command === 'worker') return verb === 'run' ? 'worker' : null;
  if (command === 'launch') return 'launch';
  if (command !== undefined && ALL_COMMANDS.has(command)) return null;
  if (own.some((word) => /^(?:--print|-[a-zA-Z]*p[a-zA-Z]*)$/.test(word))) return 'prompt';
  // without a command it is a session on a terminal
  return own.some((word) => ONLY_PRINTS.has(word)) ? null : 'session';
}

const ALL_COMMANDS: ReadonlySet<string> = new Set([
  ...Object.keys(VERBS).map((verb) => verb.split(' ')[0] ?? ''),
  'help',
]);
const ONLY_PRINTS: ReadonlySet<string> = new Set(['--help', '-h', '--version', '-v']);

/** Options of the program without a value; a test compares them with the program. The word after any other is its value. */
export const WITHOUT_VALUE: ReadonlySet<string> = new Set([
  ...[
    '-p',
    '--print',
    '--verbose',
    '--include-partial-messages',
    '--include-hook-events',
    '--dangerously-skip-permissions',
  ],
  ...['--trust-project', '--require-proof', '--require-sandbox', '-c', '--continue', '--fork-session', '--debug'],
  ...['--no-session-persistence', '--init', '--init-only', '--maintenance', '--bare', '--plain', '--strict-mcp-config'],
  ...['-h', '--help', '-v', '--version'],
]);

/** Options that take every word up to the next option. */
export const WITH_VALUES: ReadonlySet<string> = new Set([
  ...['--allowedTools', '--allowed-tools', '--disallowedTools', '--disallowed-tools', '--tools', '--mcp-config'],
]);

/** The words that are neither options nor their values: the value of `--add-dir hooks` must not look like a command. */
function withoutOptions(words: readonly string[]): readonly string[] {
  const left: string[] = [];
  let values = 0;
  for (const word of words) {
    if (word.startsWith('-')) {
      const isAlone = word.includes('=') || WITHOUT_VALUE.has(word) || /^-[cphv]+$/.test(word);
      values = isAlone ? 0 : WITH_VALUES.has(word) ? Number.POSITIVE_INFINITY : 1;
    } else if (values > 0) values--;
    else left.push(word);
  }
  return left;
}
