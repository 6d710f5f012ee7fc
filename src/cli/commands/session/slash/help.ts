import { KEYS } from '../keys.ts';
import type { SessionControls } from '../sessionControls.ts';
import type { SlashCommand } from './slashCommand.ts';

export function showHelp(session: SessionControls, commands: Readonly<Record<string, SlashCommand>>): void {
  const rows = [
    ...KEYS.map(({ shown, about }) => [shown, about] as const),
    ...Object.entries(commands).map(([name, { about, hint = '' }]) => [`/${name} ${hint}`.trim(), about] as const),
  ];
  const width = Math.max(...rows.map(([name]) => name.length));
  session.print(rows.map(([name, about]) => `  ${name.padEnd(width)}  ${about}`));
}
