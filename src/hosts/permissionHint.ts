import path from 'node:path';
import { readTextFileSync } from '../system/readTextFile.ts';

export interface PermissionFacts {
  readonly agent: string;
  /** What stands behind `--`. */
  readonly words: readonly string[];
  /** Each task has a work tree, in which files that git does not know are missing. */
  readonly worktrees: boolean;
  readonly cwd: string;
  readonly homeDir: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Anything that says what the agent may do, or where that is said. */
const GIVES_PERMISSION =
  /^--(?:permission-mode|allowed-?tools|dangerously-skip-permissions|permission-prompt-tool|settings)(?:=|$)/i;

const NAMES: Readonly<Record<string, string>> = { claude: 'Claude Code', stopgate: 'The agent' };

/**
 * Headless, an agent cannot ask: what is not allowed in advance is refused, and a task that wants files changed ends as "I
 * may not". Null when something is allowed, or when nobody can tell.
 */
export function permissionHint({ agent, words, worktrees, cwd, homeDir, env }: PermissionFacts): string | null {
  const name = Object.hasOwn(NAMES, agent) ? NAMES[agent] : undefined;
  if (name === undefined || words.some((word) => GIVES_PERMISSION.test(word))) return null;
  const user = env.CLAUDE_CONFIG_DIR || path.join(homeDir, '.claude');
  const files = [
    path.join(user, 'settings.json'),
    path.join(cwd, '.claude/settings.json'),
    ...(worktrees ? [] : [path.join(cwd, '.claude/settings.local.json')]),
  ];
  if (files.some(allowsSomething)) return null;
  return `${name} runs headless and cannot ask for permission, and nothing but reading is allowed in advance: add for example \`--permission-mode acceptEdits --allowedTools "Bash(npm test *)"\` after --, or permissions.allow to ${worktrees ? 'a committed ' : ''}.claude/settings.json.`;
}

const LARGEST_BYTES = 1_000_000;

function allowsSomething(file: string): boolean {
  const read = readTextFileSync(file, LARGEST_BYTES);
  if (read.type !== 'read') return false;
  try {
    const { permissions } = JSON.parse(read.text);
    const { allow, defaultMode } = permissions ?? {};
    return (Array.isArray(allow) && allow.length > 0) || (typeof defaultMode === 'string' && defaultMode !== 'default');
  } catch {
    // said elsewhere
    return true;
  }
}
