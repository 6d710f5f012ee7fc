import { findCommands } from '../../permissions/shell/findCommands.ts';
import type { ShellPart } from '../../permissions/shell/shellTypes.ts';
import { commandName } from '../../permissions/shell/unwrapCommand.ts';
import { ownValue } from '../../system/ownValue.ts';

/** A tool call, as hooks see it. */
export interface ToolCall {
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
}

const SECONDS: Readonly<Record<string, number>> = { '': 1, s: 1, m: 60, h: 3600, d: 86_400 };
const DURATION = /^(\d+(?:\.\d+)?)([smhd]?)$/;
/** Options of `timeout` whose value is the next word. */
const VALUED = /^(?:-k|-s|--kill-after|--signal)$/;

/** The longest time in seconds that a call names for itself; null when it names none. */
export function askedSeconds({ tool, input }: ToolCall): number | null {
  if (tool !== 'Bash') return null;
  const { timeout, command } = input;
  const named = typeof timeout === 'number' && timeout > 0 ? [timeout / 1000] : [];
  const waits = typeof command === 'string' ? waitsIn(command) : [];
  const all = [...named, ...waits.map(({ seconds }) => seconds)];
  return all.length === 0 ? null : Math.max(...all);
}

/** How long a command sleeps at least: unlike a timeout, it certainly takes that long. */
export function sleepSeconds({ tool, input: { command } }: ToolCall): number | null {
  const sleeps = tool === 'Bash' && typeof command === 'string' ? waitsIn(command) : [];
  const all = sleeps.filter(({ name }) => name === 'sleep').map(({ seconds }) => seconds);
  return all.length === 0 ? null : Math.max(...all);
}

/** `sleep 20m`, `timeout -k 5 30m make`: commands that name their duration. */
function waitsIn(command: string): readonly { readonly name: string; readonly seconds: number }[] {
  if (!command.includes('sleep') && !command.includes('timeout')) return [];
  return findCommands(command).all.flatMap(({ part }) => {
    const name = commandName(part.words[0]?.text ?? '');
    const seconds = name === 'sleep' || name === 'timeout' ? durationIn(part) : null;
    return seconds === null ? [] : [{ name, seconds }];
  });
}

function durationIn({ words }: ShellPart): number | null {
  const [, ...args] = words.map(({ text }) => text);
  const duration = args.find((word, at) => !word.startsWith('-') && !VALUED.test(args[at - 1] ?? ''));
  const [, amount, unit] = DURATION.exec(duration ?? '') ?? [];
  return amount === undefined ? null : Number(amount) * (ownValue(SECONDS, unit) ?? 1);
}
