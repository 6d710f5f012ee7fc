import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { budgetMessage } from '../../budget/timeBudget.ts';
import type { ConfiguredHook } from '../../hooks/configuredHook.ts';
import { onHookEvent } from '../../hooks/kinds/function.ts';
import { markActivity } from '../../stop/activity.ts';
import { type Armed, type ArmedFacts, decideArmed } from '../../stop/armed.ts';
import { askStop, beginSession } from '../../stop/ask.ts';
import type { Demand } from '../../stop/checks/demand.ts';
import { findConfig } from '../../stop/checks/findConfig.ts';
import { areChecksTrusted } from '../../stop/checks/folderTrust.ts';
import { stopHookSeconds, usableSeconds } from '../../stop/checks/hookTime.ts';
import { readConfig } from '../../stop/checks/readConfig.ts';
import { hookClock, hookNow } from '../../stop/clock.ts';
import { type GateEnding, skippedEnding } from '../../stop/ending.ts';
import { NEVER_BLOCK_WORDS } from '../../stop/exemptions.ts';
import { decideLanding } from '../../stop/landing/decideLanding.ts';
import { recordDecision } from '../../stop/ledger.ts';
import type { Payload } from '../../stop/payload.ts';
import { isSwitchedOff } from '../../stop/situation.ts';
import { ACTIVITY_FILE, FAILURE_FILE, workerIdentity } from '../../stop/worker/workerIdentity.ts';
import type { Asker, GateWorld } from '../../stop/world.ts';
import type { World } from '../../system/world.ts';

export interface OwnGateFacts {
  readonly armed: Armed;
  readonly demand: Demand;
  readonly onEnding: (ending: GateEnding) => void;
  /** Called with each question to the gates: an interrupted turn does not wait for the answer, its session has to. */
  readonly onAsked: (answer: Promise<unknown>) => void;
}

/** What our own hooks are called in messages. */
const CHECKS = 'stopgate checks';
const ACTIVITY = 'stopgate activity';

/**
 * What `stopgate init` and `launch` wire into other agents, inside our own: the definition of done, and with a time
 * budget in the environment the countdown and the landing. The same gates, asked without a process.
 */
export function ownGates(world: World, { armed, demand, onEnding, onAsked }: OwnGateFacts): readonly ConfiguredHook[] {
  const isArmed = armed.checks.length > 0;
  // an outer agent's variable would name another project; a worker's stop is asked for its queue in any folder
  const env = { ...world.env, CLAUDE_PROJECT_DIR: world.cwd };
  const asker: Asker = { name: 'stopgate', demand: async () => demand };
  const here = { ...world, env, trusted: isArmed, hostPid: process.pid, asker, onEnding, onAsked };
  const isHeld = isArmed || workerIdentity(world.env) !== null;
  const timeout = armed.stopSeconds ?? stopHookSeconds([]);
  return [
    ...(isHeld ? stopHooks(isArmed ? { ...here, start: armed } : here, timeout) : recordHooks(here, armed)),
    ...clockHooks(world),
    ...activityHooks(world.env),
    ...failureHooks(world.env),
  ];
}

/** The project's definition of done, and whether it may be run here. */
export async function gatherArmed(
  world: World,
  { trustProject, off }: { readonly trustProject: boolean } & Pick<ArmedFacts, 'off'>,
): Promise<Armed> {
  const isOff = isSwitchedOff(world) ? NEVER_BLOCK_WORDS.switchedOff : null;
  return decideArmed({
    config: await readConfig(world.cwd),
    file: findConfig(world.cwd),
    trusted: trustProject || (await areChecksTrusted(world.cwd, world)),
    off: off ?? isOff,
  });
}

function stopHooks(world: GateWorld & Pick<OwnGateFacts, 'onAsked'>, timeout: number): readonly ConfiguredHook[] {
  const label = workerIdentity(world.env) === null ? CHECKS : 'stopgate worker';
  return [
    onHookEvent(
      'SessionStart',
      async function rememberFiles(input) {
        await beginSession(input as Payload, world);
      },
      { label },
    ),
    onHookEvent(
      'Stop',
      async function mayStop(input, _id, { signal }) {
        const deadlineAt = world.clock.now() + usableSeconds(timeout) * 1000;
        // an interrupt does not wait for the answer, which says the same a moment later
        const onAbort = () => world.start && world.onEnding?.(skippedEnding('checksInterrupted'));
        signal.addEventListener('abort', onAbort, { once: true });
        const asked = askStop(input as Payload, { ...world, deadlineAt, signal });
        world.onAsked(asked);
        const answer = await asked;
        signal.removeEventListener('abort', onAbort);
        if (answer.type === 'block') await answer.delivered?.();
        const { notes } = answer;
        return {
          ...(answer.type === 'block' && { decision: 'block' as const, reason: answer.reason }),
          // here everything is said by Stopgate
          ...(notes.length > 0 && { systemMessage: notes.map((note) => note.replace(/^Stopgate: /, '')).join('\n') }),
        };
      },
      { timeout, label },
    ),
  ];
}

/** Checks that are configured and not armed hold nothing; that they did not is on record. */
function recordHooks(world: GateWorld, { file, sentence, ending }: Armed): readonly ConfiguredHook[] {
  if (file === null || sentence === null) return [];
  const folder = path.dirname(file);
  return [
    onHookEvent(
      'Stop',
      async function notArmed(input) {
        const startedAt = world.clock.now();
        recordDecision({ event: 'stop', folder, payload: input as Payload, ending, startedAt }, world);
      },
      { label: CHECKS },
    ),
  ];
}

/** Whoever supervises us sees by a file that tools run, as landing.sh and budget-countdown.sh tell it for others. */
function activityHooks(env: Readonly<Record<string, string>>): readonly ConfiguredHook[] {
  const file = env[ACTIVITY_FILE];
  if (!file) return [];
  return [
    onHookEvent(
      'SessionStart',
      async function sessionBegan() {
        markActivity(file);
      },
      { label: ACTIVITY },
    ),
    onHookEvent(
      'PreToolUse',
      async function toolBegan() {
        markActivity(file, 'toolBegan');
      },
      { label: ACTIVITY },
    ),
    onHookEvent(
      'PostToolBatch',
      async function toolsEnded() {
        markActivity(file, 'toolsEnded');
      },
      { label: ACTIVITY },
    ),
  ];
}

/** And what an API error said, as stop-failure.sh tells it for others. */
function failureHooks(env: Readonly<Record<string, string>>): readonly ConfiguredHook[] {
  const file = env[FAILURE_FILE];
  if (!file) return [];
  return [
    onHookEvent(
      'StopFailure',
      async function failure(input) {
        await writeFile(file, JSON.stringify(input)).catch(() => {});
      },
      { label: ACTIVITY },
    ),
  ];
}

function clockHooks({ env, clock }: World): readonly ConfiguredHook[] {
  const left = () => hookClock(env, hookNow(env, clock));
  if (left() === null) return [];
  const message = () => {
    const time = left();
    return budgetMessage(time?.remainingSeconds ?? 0, time ?? {});
  };
  return [
    onHookEvent(
      'PreToolUse',
      function landing({ tool_name: tool, tool_input: input }) {
        const time = left();
        const answer = time && decideLanding({ tool, input: (input ?? {}) as Payload }, time);
        if (answer?.type !== 'refuse') return;
        const { reason: permissionDecisionReason } = answer;
        return {
          hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'deny', permissionDecisionReason },
        };
      },
      { label: 'stopgate landing' },
    ),
    // once for each batch of calls, whatever became of them
    onHookEvent(
      'PostToolBatch',
      function countdown() {
        return { hookSpecificOutput: { hookEventName: 'PostToolBatch', additionalContext: message() } };
      },
      { label: 'stopgate countdown' },
    ),
    // what the history of a resumed session says of the time is old, and its last batch may have been interrupted
    onHookEvent(
      'SessionStart',
      function countdownAgain({ source }) {
        if (source !== 'resume') return;
        return { hookSpecificOutput: { hookEventName: 'SessionStart', additionalContext: message() } };
      },
      { label: 'stopgate countdown' },
    ),
  ];
}
