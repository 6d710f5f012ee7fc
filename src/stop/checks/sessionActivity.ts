import { isReadOnlyCommand } from '../../permissions/shell/readOnlyCommand.ts';
import { readTextFileSync } from '../../system/readTextFile.ts';
import type { Payload } from '../payload.ts';
import type { Activity } from './askChecks.ts';

/** Tools that change no file, in Claude Code and in our own agent. */
const HARMLESS = new Set(
  (
    'Read Glob Grep LS NotebookRead WebFetch WebSearch TodoWrite TaskCreate TaskUpdate TaskList TaskGet TaskOutput ' +
    'BashOutput KillShell AskUserQuestion EnterPlanMode ExitPlanMode ToolSearch ListMcpResourcesTool ReadMcpResourceTool'
  ).split(' '),
);
const MOST_BYTES = 128 * 1024 * 1024;

/**
 * Whether a session has called a tool that can change files, by its transcript. `unknown`: the host names none, or it cannot
 * be read, or it is not in the form of Claude Code's.
 */
export function sessionActivity({ transcript_path: file }: Payload): Activity {
  if (typeof file !== 'string') return 'unknown';
  try {
    const read = readTextFileSync(file, MOST_BYTES);
    if (read.type !== 'read' || read.cut) return 'unknown';
    const lines = read.text.split('\n');
    if (read.text.trim() !== '' && !lines.some(isMessage)) return 'unknown';
    const calls = lines.filter((line) => line.includes('"tool_use"')).flatMap(callsIn);
    return calls.some((call) => !isHarmless(call)) ? 'some' : 'none';
  } catch {
    return 'unknown';
  }
}

interface Call {
  readonly type?: unknown;
  readonly name?: unknown;
  readonly input?: { readonly command?: unknown };
}

interface Line {
  readonly type?: unknown;
  readonly message?: { readonly content?: unknown };
}

/** Other hosts write calls in forms of their own: a transcript without one message in this form says nothing about them. */
function isMessage(line: string): boolean {
  if (!line.includes('"message"')) return false;
  const { type, message } = JSON.parse(line) as Line;
  return (type === 'user' || type === 'assistant') && message?.content !== undefined;
}

/** Throws for a line that cannot be read. */
function callsIn(line: string): readonly Call[] {
  const { message } = JSON.parse(line) as Line;
  const content = Array.isArray(message?.content) ? (message.content as readonly Call[]) : [];
  return content.filter(({ type }) => type === 'tool_use');
}

function isHarmless({ name, input }: Call): boolean {
  if (name === 'Bash') return typeof input?.command === 'string' && isReadOnlyCommand(input.command);
  return typeof name === 'string' && HARMLESS.has(name);
}
