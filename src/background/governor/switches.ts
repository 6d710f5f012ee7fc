import type { TaskKind } from '../../schemas/backgroundRuns.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** Whether a task may run at all, and who said so. */
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

const saysYes = (value: string | undefined) => /^(?:1|true|yes|on)$/i.test(value?.trim() ?? '');
const saysNo = (value: string | undefined) => /^(?:0|false|no|off)$/i.test(value?.trim() ?? '');

/**
 * Which tasks may run. An explicit off beats every on, wherever it was said: who turned a thing off must not have to
 * look for what turned it on again.
 */
export function decideSwitches(facts: SwitchFacts): Switches {
  const memory = memorySwitch(facts);
  return {
    prompt_suggestion: suggestionSwitch(facts),
    memory_extraction: facts.bare ? BARE : memory,
    auto_dream: dreamSwitch(facts, memory),
    job_classification: jobSwitch(facts.env),
    side_question: on('only when somebody asks'),
  };
}

const BARE = off('off in --bare');

/** Ours first; Claude Code's name for the same thing is read beside it. */
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
  const offBy = SUGGESTIONS.find((name) => saysNo(env[name]));
  if (offBy) return off(`turned off by ${offBy}=${env[offBy]}`);
  return interactive ? on('on in a terminal session') : off('off in headless: nobody would see it');
}

/** On by default where a person sees it; headless spends nothing after its answer unless it was asked to. */
function memorySwitch({ env, memorySetting, interactive }: SwitchFacts): Switch {
  if (saysYes(env.STOPGATE_DISABLE_MEMORY)) return off('turned off by STOPGATE_DISABLE_MEMORY');
  if (saysNo(env.STOPGATE_ENABLE_MEMORY)) return off('turned off by STOPGATE_ENABLE_MEMORY');
  if (memorySetting === false) return off('turned off by "memory": false in settings');
  // set for every command a model runs: what such an agent is told was written by a model
  if (env.STOPGATE === '1') return off("started by another agent: its prompts are not a person's");
  if (saysYes(env.STOPGATE_ENABLE_MEMORY)) return on('turned on by STOPGATE_ENABLE_MEMORY');
  if (memorySetting === true) return on('turned on by "memory": true in settings');
  if (interactive) return on('on in a terminal session');
  return off('off in headless unless asked for (STOPGATE_ENABLE_MEMORY=1, or "memory": true in settings)');
}

function dreamSwitch({ env, bare }: SwitchFacts, memory: Switch): Switch {
  if (bare) return BARE;
  if (saysYes(env.STOPGATE_DISABLE_DREAM)) return off('turned off by STOPGATE_DISABLE_DREAM');
  return memory.on ? on('memory is on') : off(`memory is off: ${memory.reason}`);
}

/** Whether what was learned before is told to a new session: unless somebody turned memory off. */
export function recallsMemory(facts: SwitchFacts): boolean {
  if (facts.bare) return false;
  const { STOPGATE: _inside, ...env } = facts.env;
  return memorySwitch({ ...facts, env, interactive: true }).on;
}

/** Whether the small model may be asked about a job that the rules cannot tell. */
export function asksAboutJobs({ env, bare }: Pick<SwitchFacts, 'env' | 'bare'>): boolean {
  return !bare && !saysYes(env.STOPGATE_DISABLE_JOB_MODEL);
}
