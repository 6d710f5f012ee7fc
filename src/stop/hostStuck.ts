import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { isObject, jsonValue } from '../schemas/jsonValue.ts';
import { attempt } from '../system/attempt.ts';
import { textIn } from '../system/readTextFile.ts';
import { type Payload, sessionIdOf } from './payload.ts';
import { sessionFile } from './startFile.ts';
import type { GateWorld } from './world.ts';

/** One such stop is normal for Gemini CLI: its turn budget ends once, and begins anew with the next block. */
const MOST_REPEATS = 1;

export interface SeenMark {
  readonly mark: string;
  /** How often in a row it was seen again. */
  readonly repeats: number;
}

/** A host that repeats its stop without a request to its model would do so forever. */
export const isStuck = ({ repeats }: SeenMark): boolean => repeats > MOST_REPEATS;

export const nextMark = (before: SeenMark | null, mark: string): SeenMark => ({
  mark,
  repeats: before?.mark === mark ? before.repeats + 1 : 0,
});

/** Whether this stop repeats those before it; false for a host that does not do that. Remembers it for the next stop. */
export function isHostStuck(payload: Payload, { asker, stopgateHome }: GateWorld): boolean {
  const mark = asker.turnMark?.(payload) ?? null;
  const session = sessionIdOf(payload);
  if (mark === null || session === null) return false;
  const file = sessionFile(stopgateHome, 'marks', session);
  const seen = nextMark(readMark(file), mark);
  attempt(() => {
    mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
    // a rename would not be needed: a torn file counts as none
    rmSync(file, { force: true });
    writeFileSync(file, JSON.stringify(seen), { mode: 0o600 });
  }, undefined);
  return isStuck(seen);
}

function readMark(file: string): SeenMark | null {
  const value = jsonValue(textIn(file));
  const { mark, repeats } = isObject(value) ? value : {};
  return typeof mark === 'string' && typeof repeats === 'number' ? { mark, repeats } : null;
}
