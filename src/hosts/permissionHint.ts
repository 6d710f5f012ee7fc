import path from 'node:path';
import { isObject, jsonValue } from '../schemas/jsonValue.ts';
import { readTextFileSync } from '../system/readTextFile.ts';
import type { HostAgent } from './host.ts';

export interface PermissionFacts {
  readonly agent: Pick<HostAgent, 'title' | 'readsPermissions' | 'headlessHint'>;
  /** The words after `--`. */
  readonly words: readonly string[];
  /** Each task has a worktree, which lacks files that git does not track. */
  readonly worktrees: boolean;
  readonly cwd: string;
  readonly homeDir: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Options that grant permissions, or name where they are granted. */
const GIVES_PERMISSION =
  /^--(?:permission-mode|allowed-?tools|dangerously-skip-permissions|permission-prompt-tool|settings)(?:=|$)/i;

/**
 * A headless agent cannot ask for permission: a task that needs to change files would end with nothing done. Null when
 * something is allowed in advance, or when that is unknown.
 */
export function permissionHint({ agent, words, worktrees, cwd, homeDir, env }: PermissionFacts): string | null {
  if (agent.headlessHint) return agent.headlessHint(words, cwd, { homeDir, env });
  if (!agent.readsPermissions || words.some((word) => GIVES_PERMISSION.test(word))) return null;
  const user = env.CLAUDE_CONFIG_DIR || path.join(homeDir, '.claude');
  const files = [
    path.join(user, 'settings.json'),
    path.join(cwd, '.claude/settings.json'),
    ...(worktrees ? [] : [path.join(cwd, '.claude/settings.local.json')]),
  ];
  if (files.some(allowsSomething)) return null;
  return `${agent.title} runs headless and cannot ask for permission, and only reading is allowed in advance: add for example \`--permission-mode acceptEdits --allowedTools "Bash(npm test *)"\` after --, or permissions.allow to ${worktrees ? 'a committed ' : ''}.claude/settings.json.`;
}

const LARGEST_BYTES = 1_000_000;

function allowsSomething(file: string): boolean {
  const read = readTextFileSync(file, LARGEST_BYTES);
  if (read.type !== 'read') return false;
  const settings = jsonValue(read.text);
  // reported elsewhere
  if (!isObject(settings)) return true;
  const { allow, defaultMode } = isObject(settings.permissions) ? settings.permissions : {};
  return (Array.isArray(allow) && allow.length > 0) || (typeof defaultMode === 'string' && defaultMode !== 'default');
}
