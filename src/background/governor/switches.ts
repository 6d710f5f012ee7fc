import type { TaskKind } from '../../schemas/backgroundRuns.ts';
import type { Environment } from '../../system/environment.ts';

/** Whether a task may run at all, and why. */
interface Switch {
  readonly on: boolean;
  readonly reason: string;
}

export type Switches = Readonly<Record<TaskKind, Switch>>;

export interface SwitchFacts {
  readonly env: Environment;
  /** The settings' `memory` key, as written. */
  readonly memorySetting?: unknown;
  readonly interactive: boolean;
  readonly bare: boolean;
}

const on = (reason: string): Switch => ({ on: true, reason });
const off = (reason: string): Switch => ({ on: false, reason });

const isYes = (value: string | undefined) => /^(?:1|true|yes|on)$/i.test(value?.trim() ?? '');
const isNo = (value: string | undefined) => /^(?:0|false|no|off)$/i.test(value?.trim() ?? '');

/**
 * Which tasks may run. An explicit off overrides every on, so that a user who turned a task off need not search for what
 * turned it on.
 */
export function decideSwitches(facts: SwitchFacts): Switches {
  const memory = memorySwitch(facts);
  return {
    prompt_suggestion: suggestionSwitch(facts),
    memory_extraction: facts.bare ? BARE : memory,
    auto_dream: dreamSwitch(facts, memory),
    job_classification: jobSwitch(facts.env),
    side_question: on('only on request'),
  };
}

const BARE = off('off in --bare');

/** Ours first, then Claude Code's name. */
const JOB_DIRS = ['STOPGATE_JOB_DIR', 'CLAUDE_JOB_DIR'] as const;
const SUGGESTIONS = ['STOPGATE_ENABLE_PROMPT_SUGGESTION', 'CLAUDE_CODE_ENABLE_PROMPT_SUGGESTION'] as const;

/** Where the state of a background job is written; undefined when this is not a job. */
export function jobDirOf(env: Environment): string | undefined {
  return JOB_DIRS.map((name) => env[name]).find(Boolean);
}

function jobSwitch(env: Environment): Switch {
  const name = JOB_DIRS.find((one) => env[one]);
  return name ? on(`${name} is set`) : off('no job directory (STOPGATE_JOB_DIR)');
}

function suggestionSwitch({ env, interactive, bare }: SwitchFacts): Switch {
  if (bare) return BARE;
  const offBy = SUGGESTIONS.find((name) => isNo(env[name]));
  if (offBy) return off(`turned off by ${offBy}=${env[offBy]}`);
  return interactive ? on('on in a terminal session') : off('off in headless: it would not be seen');
}

/** On by default in a terminal; by default, headless spends nothing after its answer. */
function memorySwitch({ env, memorySetting, interactive }: SwitchFacts): Switch {
  if (isYes(env.STOPGATE_DISABLE_MEMORY)) return off('turned off by STOPGATE_DISABLE_MEMORY');
  if (isNo(env.STOPGATE_ENABLE_MEMORY)) return off('turned off by STOPGATE_ENABLE_MEMORY');
  if (memorySetting === false) return off('turned off by "memory": false in settings');
  // set for every command that a model runs: prompts of such an agent were written by a model
  if (env.STOPGATE === '1') return off("started by another agent: its prompts are not a person's");
  if (isYes(env.STOPGATE_ENABLE_MEMORY)) return on('turned on by STOPGATE_ENABLE_MEMORY');
  if (memorySetting === true) return on('turned on by "memory": true in settings');
  if (interactive) return on('on in a terminal session');
  return off('off in headless by default (to turn it on: STOPGATE_ENABLE_MEMORY=1, or "memory": true in settings)');
}

function dreamSwitch({ env, bare }: SwitchFacts, memory: Switch): Switch {
  if (bare) return BARE;
  if (isYes(env.STOPGATE_DISABLE_DREAM)) return off('turned off by STOPGATE_DISABLE_DREAM');
  return memory.on ? on('memory is on') : off(`memory is off: ${memory.reason}`);
}

/** Whether a new session gets the remembered facts: unless the user turned memory off. */
export function recallsMemory(facts: SwitchFacts): boolean {
  if (facts.bare) return false;
  const { STOPGATE: _inside, ...env } = facts.env;
  return memorySwitch({ ...facts, env, interactive: true }).on;
}

/** Whether the small model may be asked about a job when the rules do not suffice. */
export function asksAboutJobs({ env, bare }: Pick<SwitchFacts, 'env' | 'bare'>): boolean {
  return !bare && !isYes(env.STOPGATE_DISABLE_JOB_MODEL);
}
