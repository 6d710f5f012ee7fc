import { writeFile } from 'node:fs/promises';
import { budgetMessage } from '../../budget/timeBudget.ts';
import { readConfig } from '../../gates/checks/readConfig.ts';
import { decideLanding } from '../../gates/landing/decideLanding.ts';
import type { ConfiguredHook } from '../../hooks/configuredHook.ts';
import { onHookEvent } from '../../hooks/kinds/function.ts';
import type { Payload } from '../../hosts/callers.ts';
import { markActivity } from '../gates/activityFile.ts';
import { askStop } from '../gates/askStop.ts';
import { configOf } from '../gates/configOf.ts';
import type { GateWorld } from '../gates/gateWorld.ts';
import { hookClock } from '../gates/hookClock.ts';
import { rememberStart } from '../gates/rememberStart.ts';
import { ACTIVITY_FILE, FAILURE_FILE, workerIdentity } from '../gates/workerIdentity.ts';
import type { World } from '../world.ts';

/** Checks may take long; Claude Code's own limit for ours is the same. */
const STOP_SECONDS = 3600;

/**
 * What `stopgate init` and `launch` wire into other agents, inside our own: the definition of done, and with a time
 * budget in the environment the countdown and the landing. The same gates, asked without a process.
 */
export function ownGates(world: World, { hasChecks }: Pick<DoneFacts, 'hasChecks'>): readonly ConfiguredHook[] {
  // an outer agent's variable would name another project
  const here = { ...world, env: { ...world.env, CLAUDE_PROJECT_DIR: world.cwd }, trusted: true };
  const isHeld = hasChecks || workerIdentity(world.env) !== null;
  return [
    ...(isHeld ? stopHooks(here) : []),
    ...clockHooks(world),
    ...activityHooks(world.env),
    ...failureHooks(world.env),
  ];
}

export interface DoneFacts {
  readonly hasChecks: boolean;
  readonly warnings: readonly string[];
}

/** Whether the project has a definition of done that may be run here, and what there is to say about it. */
export async function gatherDone(world: World, trusted: boolean): Promise<DoneFacts> {
  const config = await readConfig(world.cwd);
  if (config.type === 'none') return { hasChecks: false, warnings: [] };
  if (config.type === 'broken') return { hasChecks: false, warnings: [config.message] };
  if (trusted) return { hasChecks: true, warnings: [] };
  const { file, checks } = config.done;
  const names = checks.map(({ name }) => name).join(', ');
  const warning = `Checks not run at the stop (${names}, from ${file}): the project is not trusted; look at them, then run \`stopgate trust\`.`;
  return { hasChecks: false, warnings: [warning] };
}

function stopHooks(world: GateWorld): readonly ConfiguredHook[] {
  return [
    onHookEvent('SessionStart', async function rememberFiles(input) {
      const file = configOf(input as Payload, world.env);
      if (file !== null) await rememberStart(file, input as Payload, world);
    }),
    onHookEvent(
      'Stop',
      async function mayStop(input, _id, { signal }) {
        const deadlineAt = world.clock.now() + STOP_SECONDS * 1000;
        const answer = await askStop(input as Payload, { ...world, deadlineAt, signal });
        if (answer.type === 'block') await answer.delivered?.();
        const notes = 'notes' in answer ? (answer.notes ?? []) : [];
        return {
          ...(answer.type === 'block' && { decision: 'block' as const, reason: answer.reason }),
          ...(notes.length > 0 && { systemMessage: notes.join('\n') }),
        };
      },
      { timeout: STOP_SECONDS },
    ),
  ];
}

/** Whoever supervises us sees by a file that tools run, as landing.sh and budget-countdown.sh tell it for others. */
function activityHooks(env: Readonly<Record<string, string>>): readonly ConfiguredHook[] {
  const file = env[ACTIVITY_FILE];
  if (!file) return [];
  return [
    onHookEvent('SessionStart', async function sessionBegan() {
      markActivity(file);
    }),
    onHookEvent('PreToolUse', async function toolBegan() {
      markActivity(file, 'toolBegan');
    }),
    onHookEvent('PostToolUse', async function toolEnded() {
      markActivity(file, 'toolEnded');
    }),
  ];
}

/** And what an API error said, as stop-failure.sh tells it for others. */
function failureHooks(env: Readonly<Record<string, string>>): readonly ConfiguredHook[] {
  const file = env[FAILURE_FILE];
  if (!file) return [];
  return [
    onHookEvent('StopFailure', async function failure(input) {
      await writeFile(file, JSON.stringify(input)).catch(() => {});
    }),
  ];
}

function clockHooks({ env, clock }: World): readonly ConfiguredHook[] {
  const left = () => hookClock(env, clock.now());
  if (left() === null) return [];
  return [
    onHookEvent('PreToolUse', function landing({ tool_name: tool, tool_input: input }) {
      const time = left();
      const answer = time && decideLanding({ tool, input: (input ?? {}) as Payload }, time);
      if (answer?.type !== 'refuse') return;
      const { reason: permissionDecisionReason } = answer;
      return {
        hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'deny', permissionDecisionReason },
      };
    }),
    onHookEvent('PostToolUse', function countdown() {
      const additionalContext = budgetMessage(left()?.remainingSeconds ?? 0);
      return { hookSpecificOutput: { hookEventName: 'PostToolUse', additionalContext } };
    }),
  ];
}
