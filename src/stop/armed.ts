import type { Untrusted } from './checks/folderTrust.ts';
import { startHookSeconds, stopHookSeconds } from './checks/hookTime.ts';
import type { ReadConfig } from './checks/readConfig.ts';
import { errorEnding, type GateEnding, NOT_ASKED, notArmedEnding, skippedEnding } from './ending.ts';
import { type ArmedStart, armedNames, configuredChecks } from './sinceStart.ts';

/** What stands between an agent and its stop, known before it starts. */
export interface Armed extends ArmedStart {
  /** How the gate ends when the agent never calls it. */
  readonly ending: GateEnding;
  /** For a person, before the agent starts; null when there is nothing to check here. */
  readonly sentence: string | null;
  /** The timeout that a stop hook needs for the checks. */
  readonly stopSeconds?: number;
  /** The timeout that a session start hook needs; null when no check runs then. */
  readonly startSeconds?: number | null;
}

export interface ArmedFacts {
  readonly config: ReadConfig;
  /** The path of the configuration; null without one. */
  readonly file: string | null;
  /** Why the checks may not run; null when a person approved them. */
  readonly untrusted: Untrusted | null;
  /** Why this agent's stops are not checked: `--no-checks`, an agent without hooks, …; null when they are. */
  readonly off: string | null;
}

export function decideArmed({ config, file, untrusted, off }: ArmedFacts): Armed {
  const configured = configuredChecks(config);
  const disarmed = (ending: GateEnding, sentence: string | null): Armed => {
    return { file, checks: [], configured, ending, sentence };
  };
  if (config.type === 'none' && untrusted !== null && off === null) {
    const sentence = `Checks not run at the stop: ${withoutControls(untrusted.reason)}.`;
    return disarmed(skippedEnding(untrusted.code), sentence);
  }
  if (config.type === 'none') {
    return disarmed(notArmedEnding(file === null ? 'no stopgate.config.json' : `${file} has no checks`), null);
  }
  if (off !== null) return disarmed(notArmedEnding(off), `Checks are not armed: ${off}.`);
  if (config.type === 'broken') return disarmed(errorEnding(config.message), config.message);
  const { checks } = config.done;
  const names = armedNames(config.done);
  const list = names.map(withoutControls).join(', ');
  if (untrusted !== null) {
    const sentence = `Checks not run at the stop (${list}, from ${file}): ${withoutControls(untrusted.reason)}.`;
    return disarmed(skippedEnding(untrusted.code), sentence);
  }
  const sentence = `Checks armed: ${list}.`;
  const seconds = { stopSeconds: stopHookSeconds(checks), startSeconds: startHookSeconds(checks) };
  return { file, checks: names, configured, ending: NOT_ASKED, sentence, ...seconds };
}

/** For a person, also where there is nothing to check. */
export const describeArmed = ({ sentence, file }: Armed): string =>
  sentence ?? `No checks: ${file === null ? 'there is no stopgate.config.json here' : `${file} has none`}.`;

/** A name comes from a repository that may not be trusted: a terminal must not obey it. */
const withoutControls = (name: string): string =>
  name.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);
