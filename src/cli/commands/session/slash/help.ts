import { KEYS } from '../keys.ts';
import type { TerminalSession } from '../terminalSession.ts';
import type { SlashCommand } from './slashCommands.ts';

export function showHelp(session: TerminalSession, commands: Readonly<Record<string, SlashCommand>>): void {
  const rows = [
    ...KEYS.map(({ shown, about }) => [shown, about] as const),
    ...Object.entries(commands).map(([name, { about, hint = '' }]) => [`/${name} ${hint}`.trim(), about] as const),
  ];
  const width = Math.max(...rows.map(([name]) => name.length));
  session.print(rows.map(([name, about]) => `  ${name.padEnd(width)}  ${about}`));
}
