import path from 'node:path';
import { stopHookSeconds } from './checks/hookTime.ts';
import type { ReadConfig } from './checks/readConfig.ts';
import { errorEnding, type GateEnding, NOT_ASKED, notArmedEnding, skippedEnding } from './gateEnding.ts';
import { type ArmedStart, saidChecks } from './sinceStart.ts';

/** What stands between an agent and its stop, known before it starts. */
export interface Armed extends ArmedStart {
  /** How the gate ends when no stop asks it. */
  readonly ending: GateEnding;
  /** For a person, before the agent starts; null when there is nothing to check here. */
  readonly sentence: string | null;
  /** The timeout that a stop hook needs for the checks. */
  readonly stopSeconds?: number;
}

export interface ArmedFacts {
  readonly config: ReadConfig;
  /** Where it is; null without one. */
  readonly file: string | null;
  readonly trusted: boolean;
  /** Why no stop of this agent is checked: `--no-checks`, an agent without hooks, …; null when its stops are. */
  readonly off: string | null;
}

export function decideArmed({ config, file, trusted, off }: ArmedFacts): Armed {
  const disarmed = (ending: GateEnding, sentence: string | null): Armed => {
    return { file, checks: [], said: saidChecks(config), ending, sentence };
  };
  if (config.type === 'none') {
    return disarmed(notArmedEnding(file === null ? 'no stopgate.config.json' : `${file} has no checks`), null);
  }
  if (off !== null) return disarmed(notArmedEnding(off), `Checks are not armed: ${off}.`);
  if (config.type === 'broken') return disarmed(errorEnding(config.message), config.message);
  const { checks } = config.done;
  const names = checks.map(({ name }) => name);
  const list = names.map(shown).join(', ');
  if (!trusted) {
    // what is trusted is the folder of the file, which may be above
    const where = file === null ? '' : ` ${path.dirname(file)}`;
    const sentence = `Checks not run at the stop (${list}, from ${file}): the project is not trusted; look at them, then run \`stopgate trust${where}\`.`;
    return disarmed(skippedEnding('notTrusted'), sentence);
  }
  const stopSeconds = stopHookSeconds(checks);
  const said = saidChecks(config);
  return { file, checks: names, said, ending: NOT_ASKED, sentence: `Checks armed: ${list}.`, stopSeconds };
}

/** For a person, also where there is nothing to check. */
export const armedInWords = ({ sentence, file }: Armed): string =>
  sentence ?? `No checks: ${file === null ? 'there is no stopgate.config.json here' : `${file} has none`}.`;

/** A name comes from a repository that may not be trusted: a terminal must not obey it. */
const shown = (name: string): string =>
  name.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);
