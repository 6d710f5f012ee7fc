import { BRIEF_BUN, COMPILED_CODE } from './compiledCode.ts';
import { findClaudeCodePeer } from './peers.ts';

export type Claude =
  | { readonly type: 'installed'; readonly program: string }
  | { readonly type: 'missing'; readonly reason: string };

/** Installed once, outside of the repository: 350 MB that are nobody's dependency. */
export async function findClaudeCode(): Promise<Claude> {
  if (process.env.STOPGATE_SKIP_CLAUDE_CODE === '1') {
    return { type: 'missing', reason: 'STOPGATE_SKIP_CLAUDE_CODE is 1.' };
  }
  return findClaudeCodePeer();
}

/** What keeps it from talking to anybody but the model server of a test; its hooks are our commands. */
export const QUIET_CLAUDE = {
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
  DISABLE_TELEMETRY: '1',
  DISABLE_AUTOUPDATER: '1',
  // optimizing its code costs a fifth of the processor time of a session that is over in a second
  BUN_JSC_useDFGJIT: '0',
  ...BRIEF_BUN,
  ...COMPILED_CODE,
};
