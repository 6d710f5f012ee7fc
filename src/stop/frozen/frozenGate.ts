import path from 'node:path';
import { openGit } from '../../git/git.ts';
import { parseConfig, type ReadConfig } from '../checks/readConfig.ts';
import type { Check, FailedCheck } from '../checks/types.ts';
import { changesSince, configuredChecks, PROTECTED } from '../sinceStart.ts';
import type { FreezeWorld } from './freeze.ts';
import { type Frozen, type FrozenChange, obeyedChanges, scriptChanges, stampFrozen, touchedSince } from './frozen.ts';
import { type ProtectedChange, protectedChanges, type TreeState } from './protectedFiles.ts';
import { openScratch, type ScratchTree } from './scratchTree.ts';

/** What a session did to its own definition of done. */
export interface GateChanges {
  readonly config: string | null;
  readonly scripts: readonly FrozenChange[];
  /** Configuration that the checks' programs obey: what they are now decides. */
  readonly obeyed: readonly FrozenChange[];
  /** Protected files; a sentence when their state is unknown. */
  readonly protectedFiles: readonly ProtectedChange[] | string;
}

export const UNCHANGED: GateChanges = { config: null, scripts: [], obeyed: [], protectedFiles: [] };

/** The frozen definition of a session, at one of its stops. */
export interface FrozenGate {
  changes(tree: TreeState | string): Promise<GateChanges>;
  scripts(): readonly FrozenChange[];
  /** Starts to watch the scripts; what it returns names those that were written to since. */
  watch(): () => readonly FrozenChange[];
  /** A copy of the project with the frozen scripts. */
  scratch(): Promise<ScratchTree>;
}

export function frozenGate(frozen: Frozen, now: ReadConfig, world: FreezeWorld): FrozenGate {
  const git = openGit(world);
  const folder = path.dirname(frozen.file);
  const config = parseConfig(frozen.text, frozen.file);
  const protect = config.type === 'config' ? config.done.protect : [];
  const start = frozen.protectedStart;
  const ofProtected = async (tree: TreeState | string) => {
    if (protect.length === 0) return [];
    if (start === null) return typeof tree === 'string' ? tree : 'their state at the start is not known';
    if (typeof tree === 'string') return tree;
    if (tree.topLevel !== frozen.topLevel) return `${tree.topLevel} is another repository than at the start`;
    return protectedChanges(start, { protect, folder, tree, git });
  };
  return {
    scripts: () => scriptChanges(frozen),
    watch: () => {
      const before = stampFrozen(frozen);
      return () => touchedSince(frozen, before);
    },
    changes: async (tree) => ({
      config: changesSince({ file: frozen.file, configured: configuredChecks(config) }, now),
      scripts: scriptChanges(frozen),
      obeyed: obeyedChanges(frozen),
      protectedFiles: await ofProtected(tree),
    }),
    scratch: () => openScratch(git, frozen, world.stopgateHome),
  };
}

/** Protected files count as one more check, so that the same limits hold: it fails until they are restored or waived. */
export function protectedFailure({ protectedFiles }: GateChanges, folder: string): readonly FailedCheck[] {
  const check: Check = {
    ...{ name: PROTECTED, commandText: '"protect" in stopgate.config.json', file: '', args: [], cwd: folder },
    ...{ timeoutMs: 0, when: 'always', lines: 120, inputs: [] },
    ...{ folder, severity: 'block', baseline: null, report: null },
  };
  if (typeof protectedFiles === 'string') {
    const how = `could not be compared with the start of this session: ${protectedFiles.replace(/\.$/, '')}`;
    return [{ type: 'failed', check, how, output: '' }];
  }
  const broken = protectedFiles.filter(({ how }) => how !== 'created');
  if (broken.length === 0) return [];
  const list = broken.map(({ path, how }) => `${path} (${how})`).join(', ');
  const how = `were changed during this session: ${list}. Restore them as they were at its start`;
  return [{ type: 'failed', check, how, output: broken.map(({ diff }) => diff).join('\n') }];
}

/** For the agent, the person and the record; null when nothing that decides was changed. */
export function describeChanges({ scripts, protectedFiles }: GateChanges): string | null {
  const created = typeof protectedFiles === 'string' ? [] : protectedFiles.filter(({ how }) => how === 'created');
  const parts = [
    ...scripts.map(({ what, how }) => `${what} ${how}`),
    ...created.map(({ path }) => `${path} created among protected files`),
  ];
  return parts.length === 0 ? null : parts.join(', ');
}
