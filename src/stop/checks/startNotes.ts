import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { claudeConfigDir } from '../../session/settings/settingsFiles.ts';
import { whyChecksDoNotFit } from './hookTime.ts';
import type { Check } from './types.ts';

/**
 * What a person should know of the checks when a session starts in Claude Code: that the stop hook, as it is wired, ends before
 * they may. The settings file may be older than the checks.
 */
export function hookTimeNotes(
  checks: readonly Check[],
  { projectDir, env }: { readonly projectDir: string; readonly env: Readonly<Record<string, string>> },
): readonly string[] {
  const wired = wiredStopSeconds(projectDir, env);
  const why = wired === null ? null : whyChecksDoNotFit(checks, wired);
  return why === null ? [] : [`Stopgate: ${why}`];
}

/** The timeout that our stop hook has in Claude Code's settings; null when it is in none of them. */
function wiredStopSeconds(projectDir: string, env: Readonly<Record<string, string>>): number | null {
  const places = [
    path.join(projectDir, '.claude', 'settings.local.json'),
    path.join(projectDir, '.claude', 'settings.json'),
    path.join(claudeConfigDir({ homeDir: env.HOME || homedir(), env }), 'settings.json'),
  ];
  const seconds = places.flatMap((file) => {
    const entries = textOf(file).matchAll(/ hook stop --timeout (\d+)[^\n]*# stopgate/g);
    return [...entries].map(([, text]) => Number(text));
  });
  return seconds.length === 0 ? null : Math.max(...seconds);
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
