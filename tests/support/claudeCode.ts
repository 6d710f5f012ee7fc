import { mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
// @ts-expect-error plain modules that also run by themselves
import { installClaudeCode } from '../../bench/lib/peers.mjs';
import { COMPILED_CODE } from './compiledCode.ts';

const INSTALL_LIMIT_MS = 5 * 60_000;

export type Claude =
  | { readonly type: 'installed'; readonly program: string }
  | { readonly type: 'missing'; readonly reason: string };

/** Installed once, outside of the repository: 350 MB that are nobody's dependency. */
export async function findClaudeCode(): Promise<Claude> {
  if (process.env.STOPGATE_SKIP_CLAUDE_CODE === '1') {
    return { type: 'missing', reason: 'STOPGATE_SKIP_CLAUDE_CODE is 1.' };
  }
  return installClaudeCode({ cache: testCache(), limitMs: INSTALL_LIMIT_MS });
}

/** Where the tests install programs and packages of others. */
export function testCache(): string {
  const cache = process.env.STOPGATE_TEST_CACHE || path.join(homedir(), '.cache', 'stopgate-tests');
  mkdirSync(cache, { recursive: true });
  return cache;
}

/** What keeps it from talking to anybody but the model server of a test; its hooks are our commands. */
export const QUIET_CLAUDE = {
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
  DISABLE_TELEMETRY: '1',
  DISABLE_AUTOUPDATER: '1',
  ...COMPILED_CODE,
};
