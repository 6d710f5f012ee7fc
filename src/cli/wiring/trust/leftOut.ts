import type { ConfiguredHooks } from '../../../hooks/configure/configureHooks.ts';
import type { LoadedSettings } from '../../../session/settings/types.ts';
import { BY_PATH, type FolderTrust } from '../../../session/trust/folderTrust.ts';
import { asSentence } from '../../../system/sentence.ts';
import { whyHookOff } from './hookTrust.ts';

interface TrustFacts {
  readonly trust: FolderTrust;
  readonly settings: Pick<LoadedSettings, 'problems'>;
  readonly hooks: Pick<ConfiguredHooks, 'skipped'>;
  readonly projectDir: string;
}

export type SkippedByTrust = ConfiguredHooks['skipped'][number];

export const hookNotRun = ({ hook, reason }: SkippedByTrust): string =>
  `Hook not run: ${hook.event} ${hook.label} (${hook.file}): ${reason}.`;

/** One sentence for each hook and setting of the project that is off because it is not as a person approved it. */
export function leftOutByTrust({ trust, settings, hooks, projectDir }: TrustFacts): readonly string[] {
  const place = { projectDir, cwd: projectDir };
  return [
    ...(trust.level === 'path' ? [asSentence(BY_PATH)] : []),
    ...settings.problems.flatMap(({ level, message }) => (level === 'skipped' ? [message] : [])),
    ...hooks.skipped.filter(({ hook, reason }) => whyHookOff(hook, trust, place) === reason).map(hookNotRun),
  ];
}
