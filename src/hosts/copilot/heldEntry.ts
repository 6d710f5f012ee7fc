import { isObject, jsonValue } from '../../schemas/jsonValue.ts';
import { START_SECONDS, stopHookSeconds } from '../../stop/checks/hookTime.ts';
import { textIn } from '../../system/readTextFile.ts';
import { entryPaths } from '../entryCommands.ts';
import { OWNERSHIP_MARK } from '../host.ts';
import { copilotEntries } from './entries.ts';

interface HeldEntry {
  readonly event: string;
  readonly command: string;
  readonly seconds: number;
}

/** Whether the user's own file has an entry of ours for an event of `stopgate hook`; its paths may be those of another version. */
export const userHolds = (file: string, hook: string): boolean =>
  entriesIn(file).some(({ command }) => command.includes(` hook ${hook} `) && command.endsWith(OWNERSHIP_MARK));

/**
 * Whether a project's file has the entry that Stopgate writes there today. Anyone can write that file, so an entry that only
 * looks like ours, starts another program or has less time does not count: then two entries answer, which is safe.
 */
export function projectHolds(file: string, hook: string): boolean {
  return entriesIn(file).some(({ event, command, seconds }) => {
    if (!command.includes(` hook ${hook} `) || !Number.isSafeInteger(seconds)) return false;
    const startSeconds = seconds > START_SECONDS ? seconds : null;
    const paths = { ...entryPaths(), stopSeconds: Math.max(seconds, stopHookSeconds([])), startSeconds };
    return copilotEntries(['checks'], paths, 'project').some(
      (ours) => ours.event === event && ours.command === command && ours.timeout === seconds,
    );
  });
}

/** Only entries in the form that we write: Copilot CLI may not run others. */
function entriesIn(file: string): readonly HeldEntry[] {
  const value = jsonValue(textIn(file));
  if (!isObject(value) || value.version !== 1 || value.disableAllHooks === true || !isObject(value.hooks)) return [];
  return Object.entries(value.hooks).flatMap(([event, list]) =>
    (Array.isArray(list) ? list : []).flatMap((entry: unknown) => entryOf(event, entry)),
  );
}

function entryOf(event: string, entry: unknown): readonly HeldEntry[] {
  if (!isObject(entry)) return [];
  const { type, bash, timeoutSec, ...more } = entry;
  const isPlain = type === 'command' && Object.keys(more).length === 0;
  return isPlain && typeof bash === 'string' && typeof timeoutSec === 'number'
    ? [{ event, command: bash, seconds: timeoutSec }]
    : [];
}
