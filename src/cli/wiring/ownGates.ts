import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { budgetMessage } from '../../budget/timeBudget.ts';
import type { ConfiguredHook } from '../../hooks/configuredHook.ts';
import type { HookFields } from '../../hooks/executeEvents.ts';
import { onHookEvent } from '../../hooks/kinds/function.ts';
import { markActivity } from '../../stop/activity.ts';
import { type Armed, type ArmedFacts, decideArmed } from '../../stop/armed.ts';
import { askStop, beginSession } from '../../stop/ask.ts';
import type { Demand } from '../../stop/checks/demand.ts';
import { findConfig } from '../../stop/checks/findConfig.ts';
import { whyDefinitionUntrusted } from '../../stop/checks/folderTrust.ts';
import { START_SECONDS, stopHookSeconds, usableSeconds } from '../../stop/checks/hookTime.ts';
import { readConfig } from '../../stop/checks/readConfig.ts';
import { hookClock, hookNow } from '../../stop/clock.ts';
import { type GateEnding, skippedEnding } from '../../stop/ending.ts';
import { NEVER_BLOCK_WORDS } from '../../stop/exemptions.ts';
import { decideLanding } from '../../stop/landing/decideLanding.ts';
import { claimOf, recordDecision, recordedEnding } from '../../stop/ledger.ts';
import type { Payload } from '../../stop/payload.ts';
import { isSwitchedOff } from '../../stop/situation.ts';
import { ACTIVITY_FILE, FAILURE_FILE, workerIdentity } from '../../stop/worker/workerIdentity.ts';
import type { Asker, GateWorld } from '../../stop/world.ts';
import type { World } from '../../system/world.ts';

interface OwnGateFacts extends Pick<GateWorld, 'onCheck' | 'onWait'> {
  readonly armed: Armed;
  readonly demand: Demand;
  readonly onEnding: (ending: GateEnding) => void;
  /** Called with each pending answer: an interrupted turn does not wait for it, but its session must. */
  readonly onAsked: (answer: Promise<unknown>) => void;
}

/** Labels of our own hooks in messages. */
const CHECKS = 'stopgate checks';
const ACTIVITY = 'stopgate activity';
const WORKER_GATE = 'stopgate worker';
const LANDING = 'stopgate landing';

/** How the ledger treats our own hooks: gates record their answers themselves. */
export const OWN_HOOKS: Readonly<Record<string, 'recorded' | 'landing' | undefined>> = {
  [CHECKS]: 'recorded',
  [WORKER_GATE]: 'recorded',
  [ACTIVITY]: 'recorded',
  [LANDING]: 'landing',
};

/** The hooks here that can block a stop, by their names. */
export const OWN_GATES: ReadonlySet<string> = new Set([CHECKS, WORKER_GATE]);

/**
 * The gates that `stopgate init` and `launch` add to other agents, in process: the definition of done, and with a time
 * budget in the environment the countdown and the landing.
 */
export function ownGates(world: World, { armed, demand, ...follows }: OwnGateFacts): readonly ConfiguredHook[] {
  const isArmed = armed.checks.length > 0;
  // an outer agent's variable would name another project
  const env = { ...world.env, CLAUDE_PROJECT_DIR: world.cwd };
  const asker: Asker = { name: 'stopgate', demand: async () => demand };
  const here = { ...world, env, trusted: isArmed, hostPid: process.pid, asker, ...follows };
  const times = {
    timeout: armed.stopSeconds ?? stopHookSeconds([]),
    startSeconds: armed.startSeconds ?? START_SECONDS,
  };
  return [
    ...(isHeld(armed, world) ? stopHooks(isArmed ? { ...here, start: armed } : here, times) : recordHooks(here, armed)),
    ...clockHooks(world),
    ...activityHooks(world.env),
    ...failureHooks(world.env),
  ];
}

/** Whether a gate stands between this session and its stop. */
export const isHeld = ({ checks }: Pick<Armed, 'checks'>, { env }: Pick<World, 'env'>): boolean =>
  checks.length > 0 || workerIdentity(env) !== null;

/** The project's definition of done, and whether it may run here. */
export async function gatherArmed(
  world: World,
  { trustProject, off }: { readonly trustProject: boolean } & Pick<ArmedFacts, 'off'>,
): Promise<Armed> {
  const isOff = isSwitchedOff(world) ? NEVER_BLOCK_WORDS.switchedOff : null;
  const config = await readConfig(world.cwd);
  return decideArmed({
    config,
    file: findConfig(world.cwd),
    untrusted: trustProject ? null : whyDefinitionUntrusted(config, world.cwd, world),
    off: off ?? isOff,
  });
}

async function begin(payload: Payload, world: GateWorld, startSeconds: number) {
  const deadlineAt = world.clock.now() + usableSeconds(startSeconds) * 1000;
  const notes = await beginSession(payload, { ...world, deadlineAt });
  return notes.length === 0 ? undefined : { systemMessage: messageOf(notes) };
}

/** Here every message comes from Stopgate. */
const messageOf = (notes: readonly string[]) => notes.map((note) => note.replace(/^Stopgate: /, '')).join('\n');

function stopHooks(
  world: GateWorld & Pick<OwnGateFacts, 'onAsked'>,
  { timeout, startSeconds }: Readonly<Record<'timeout' | 'startSeconds', number>>,
): readonly ConfiguredHook[] {
  const label = workerIdentity(world.env) === null ? CHECKS : WORKER_GATE;
  return [
    onHookEvent(
      'SessionStart',
      (input, _id, { signal }) => begin(input as Payload, { ...world, signal }, startSeconds),
      {
        label,
        timeout: startSeconds,
      },
    ),
    onHookEvent(
      'Stop',
      async function mayStop(input, _id, { signal }) {
        const deadlineAt = world.clock.now() + usableSeconds(timeout) * 1000;
        // an interrupted turn ends before the answer, which would report the same
        const onAbort = () => world.start && world.onEnding?.(skippedEnding('checksInterrupted'));
        signal.addEventListener('abort', onAbort, { once: true });
        const pending = askStop(input as Payload, { ...world, deadlineAt, signal });
        world.onAsked(pending);
        const answer = await pending;
        signal.removeEventListener('abort', onAbort);
        if (answer.type === 'block') await answer.delivered?.();
        const { notes } = answer;
        return {
          ...(answer.type === 'block' && { decision: 'block' as const, reason: answer.reason }),
          ...(notes.length > 0 && { systemMessage: messageOf(notes) }),
        };
      },
      { timeout, label },
    ),
  ];
}

/** Checks that are configured and not armed do not block; that is recorded. */
function recordHooks(world: GateWorld, { file, sentence, ending }: Armed): readonly ConfiguredHook[] {
  if (file === null || sentence === null) return [];
  const folder = path.dirname(file);
  const record = async (input: unknown) => {
    const payload = input as Payload;
    const entry = {
      type: 'stop',
      ending: recordedEnding(ending),
      durationMs: 0,
      ...claimOf(payload, world.env),
    } as const;
    recordDecision({ entry, folder, payload }, world);
  };
  return [onHookEvent('Stop', record, { label: CHECKS })];
}

/** Shows a supervisor by a file that tools run, as landing.sh and budget-countdown.sh do in other agents. */
function activityHooks(env: Readonly<Record<string, string>>): readonly ConfiguredHook[] {
  const file = env[ACTIVITY_FILE];
  if (!file) return [];
  const options = { label: ACTIVITY };
  return [
    onHookEvent('SessionStart', () => markActivity(file), options),
    onHookEvent('PreToolUse', () => markActivity(file, 'toolBegan'), options),
    onHookEvent('PostToolBatch', () => markActivity(file, 'toolsEnded'), options),
  ];
}

/** Passes on an API error, as stop-failure.sh does in other agents. */
function failureHooks(env: Readonly<Record<string, string>>): readonly ConfiguredHook[] {
  const file = env[FAILURE_FILE];
  if (!file) return [];
  const write = (input: unknown) => writeFile(file, JSON.stringify(input)).catch(() => {});
  return [onHookEvent('StopFailure', write, { label: ACTIVITY })];
}

function clockHooks({ env, clock }: World): readonly ConfiguredHook[] {
  const left = () => hookClock(env, hookNow(env, clock));
  if (left() === null) return [];
  const countdown = (hookEventName: 'PostToolBatch' | 'SessionStart') => {
    const time = left();
    const additionalContext = budgetMessage(time?.remainingSeconds ?? 0, time ?? {});
    return { hookSpecificOutput: { hookEventName, additionalContext } };
  };
  const landing = ({
    tool_name: tool,
    tool_input: input,
  }: Pick<HookFields<'PreToolUse'>, 'tool_name' | 'tool_input'>) => {
    const time = left();
    const answer = time && decideLanding({ tool, input: (input ?? {}) as Payload }, time);
    if (answer?.type !== 'refuse') return;
    const refusal = { permissionDecision: 'deny', permissionDecisionReason: answer.reason } as const;
    return { hookSpecificOutput: { hookEventName: 'PreToolUse' as const, ...refusal } };
  };
  const label = 'stopgate countdown';
  return [
    onHookEvent('PreToolUse', landing, { label: LANDING }),
    // once per batch of calls, also when they failed
    onHookEvent('PostToolBatch', () => countdown('PostToolBatch'), { label }),
    // the times in the history of a resumed session are old
    onHookEvent('SessionStart', ({ source }) => (source === 'resume' ? countdown('SessionStart') : undefined), {
      label,
    }),
  ];
}
