import path from 'node:path';
import { openGit } from '../../git/git.ts';
import { findWorkTree } from '../../git/workTree.ts';
import { isObject } from '../../schemas/jsonValue.ts';
import { CONFIG_NAME } from '../checks/findConfig.ts';
import { parseConfig } from '../checks/readConfig.ts';
import { type FreezeWorld, freeze } from '../frozen/freeze.ts';
import type { Frozen } from '../frozen/frozen.ts';
import { freezeFor, readFrozen, removeFrozen, writeFrozen } from '../frozen/frozenFile.ts';
import type { ArmedStart } from '../sinceStart.ts';
import { completionSession } from '../startFile.ts';

/** Which attempt of which task. */
interface OfAttempt {
  readonly taskId: string;
  readonly epoch: number;
}

/** The name of a verification in the ledger, and of what was frozen for it when the attempt began. */
export const verificationSession = ({ taskId, epoch }: OfAttempt): string => `verify-${taskId}-${epoch}`;

/** One command on a line. */
export const commandsOf = (verify: string): readonly string[] =>
  verify
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

/** The definition of done of a project, for an attempt that begins with it. */
export const freezeDefinition = (attempt: OfAttempt, armed: ArmedStart, world: FreezeWorld): Promise<void> =>
  freezeFor(verificationSession(attempt), armed, world);

const definitionFor = (verify: string) =>
  JSON.stringify({ checks: commandsOf(verify).map((command) => ({ command })) });

/** Whether it was frozen for these commands of a task. */
export const isFrozenFor = ({ text }: Pick<Frozen, 'text'>, verify: string): boolean => text === definitionFor(verify);

/** The commands that a task names, with the scripts that they run, as they are now. */
export async function frozenCommands(verify: string, folder: string, world: FreezeWorld): Promise<Frozen | null> {
  const text = definitionFor(verify);
  const config = parseConfig(text, path.join(folder, CONFIG_NAME));
  if (config.type !== 'config') return null;
  const workTree = findWorkTree(openGit(world), folder);
  // nothing is protected, so the state of the files is not asked for
  const frozen = await freeze(config.done, { workTree, tree: async () => 'not read' }, world);
  return { ...frozen, text };
}

export async function freezeCommands(attempt: OfAttempt, verify: string, folder: string, world: FreezeWorld) {
  const frozen = await frozenCommands(verify, folder, world);
  if (frozen !== null) await writeFrozen(world.stopgateHome, verificationSession(attempt), frozen);
}

/** As they are in a checkout, for work in another folder. */
export async function freezeCommandsOf(
  attempt: OfAttempt,
  { verify, at, folder }: { readonly verify: string; readonly at: string; readonly folder: string },
  world: FreezeWorld,
) {
  const frozen = await frozenCommands(verify, at, world);
  if (frozen !== null) await writeFrozen(world.stopgateHome, verificationSession(attempt), inFolder(frozen, folder));
}

type WorkedOn = OfAttempt & { readonly workerId: string; readonly incarnation: number };

/** A task that a running agent was handed has what its agent began with. */
export async function freezeAsBegun(attempt: WorkedOn, { stopgateHome }: Pick<FreezeWorld, 'stopgateHome'>) {
  const begun = await readFrozen(stopgateHome, completionSession(attempt));
  if (begun !== null) await writeFrozen(stopgateHome, verificationSession(attempt), begun);
}

interface Earlier extends OfAttempt {
  /** Of the attempts before this one that count, oldest first. */
  readonly epochs: readonly number[];
  readonly folder: string;
  /** Null: by the definition of done. */
  readonly verify: string | null;
}

/**
 * For an attempt after others: their agents may have changed the scripts, so what the first of them began with decides. Returns whether
 * there is such a record on this machine.
 */
export async function freezeAsFirst(
  { taskId, epoch, epochs, folder, verify }: Earlier,
  { stopgateHome }: Pick<FreezeWorld, 'stopgateHome'>,
): Promise<boolean> {
  for (const earlier of epochs) {
    const kept = await readFrozen(stopgateHome, verificationSession({ taskId, epoch: earlier }));
    if (kept === null || (verify !== null && !isFrozenFor(kept, verify))) continue;
    await writeFrozen(stopgateHome, verificationSession({ taskId, epoch }), inFolder(kept, folder));
    return true;
  }
  return false;
}

/** The same definition in another worktree. */
function inFolder(frozen: Frozen, folder: string): Frozen {
  const from = frozen.topLevel;
  const to = path.resolve(folder, path.relative(path.dirname(frozen.file), from));
  const moved = (value: unknown): unknown => {
    if (typeof value === 'string')
      return value === from || value.startsWith(`${from}/`) ? to + value.slice(from.length) : value;
    if (Array.isArray(value)) return value.map(moved);
    return isObject(value) ? Object.fromEntries(Object.entries(value).map(([key, one]) => [key, moved(one)])) : value;
  };
  return { ...(moved(frozen) as Frozen), text: frozen.text };
}

/** After the task has ended; the receipt has what is worth keeping. */
export async function forgetFrozen({ taskId, epoch }: OfAttempt, { stopgateHome }: Pick<FreezeWorld, 'stopgateHome'>) {
  for (let one = epoch; one > 0; one--) await removeFrozen(stopgateHome, verificationSession({ taskId, epoch: one }));
}

/** For work whose beginning no worker saw, or a task that was settled before its worker looked: as it is at the completion. */
export async function freezeIfMissing(
  attempt: WorkedOn,
  { verify, folder }: { readonly verify: string | null; readonly folder: string },
  world: FreezeWorld,
): Promise<void> {
  if ((await readFrozen(world.stopgateHome, verificationSession(attempt))) !== null) return;
  if (verify === null) await freezeAsBegun(attempt, world);
  else await freezeCommands(attempt, verify, folder, world);
}
