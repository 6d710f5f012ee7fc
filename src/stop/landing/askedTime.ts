import { findCommands } from '../../permissions/shell/findCommands.ts';
import type { ShellPart } from '../../permissions/shell/shellTypes.ts';
import { commandName } from '../../permissions/shell/unwrapCommand.ts';
import { ownValue } from '../../system/ownValue.ts';

/** What a tool call asks for, as hooks see it. */
export interface ToolCall {
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
}

const SECONDS: Readonly<Record<string, number>> = { '': 1, s: 1, m: 60, h: 3600, d: 86_400 };
const DURATION = /^(\d+(?:\.\d+)?)([smhd]?)$/;
/** Options of `timeout` whose value is the next word. */
const VALUED = /^(?:-k|-s|--kill-after|--signal)$/;

/** How long a call says it may take, in seconds; null when it does not say. */
export function askedSeconds({ tool, input }: ToolCall): number | null {
  if (tool !== 'Bash') return null;
  const { timeout, command } = input;
  const asked = typeof timeout === 'number' && timeout > 0 ? [timeout / 1000] : [];
  const waits = typeof command === 'string' ? waitsIn(command) : [];
  const all = [...asked, ...waits.map(({ seconds }) => seconds)];
  return all.length === 0 ? null : Math.max(...all);
}

/** How long a command sleeps at least: unlike a timeout, it takes that long for sure. */
export function sleepSeconds({ tool, input: { command } }: ToolCall): number | null {
  const sleeps = tool === 'Bash' && typeof command === 'string' ? waitsIn(command) : [];
  const all = sleeps.filter(({ name }) => name === 'sleep').map(({ seconds }) => seconds);
  return all.length === 0 ? null : Math.max(...all);
}

/** `sleep 20m`, `timeout -k 5 30m make`: commands that say themselves how long they take. */
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
  const said = args.find((word, at) => !word.startsWith('-') && !VALUED.test(args[at - 1] ?? ''));
  const [, amount, unit] = DURATION.exec(said ?? '') ?? [];
  return amount === undefined ? null : Number(amount) * (ownValue(SECONDS, unit) ?? 1);
}
