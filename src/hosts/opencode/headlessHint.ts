import path from 'node:path';
import { readTextFileSync } from '../../system/readTextFile.ts';
import type { HostPlaces } from '../host.ts';
import { hasOption } from '../optionWords.ts';
import { opencodeHome } from './wiring.ts';

const LARGEST_BYTES = 1_000_000;
const NAMES = ['opencode.json', 'opencode.jsonc'];

/** A sentence when its settings ask for permissions, which a headless run rejects. */
export function headlessHint(words: readonly string[], folder: string, places: HostPlaces): string | null {
  if (hasOption(words, '--auto')) return null;
  const folders = [opencodeHome({ homeDir: places.homeDir, env: places.env as Record<string, string> }), folder];
  const files = [...folders, path.join(folder, '.opencode')].flatMap((at) => NAMES.map((name) => path.join(at, name)));
  const asking = files.find(asksForPermission);
  if (asking === undefined) return null;
  return `opencode run rejects what it would ask for, which ends its turn, and ${asking} asks for permissions: allow what the task needs there, or add --auto after --.`;
}

function asksForPermission(file: string): boolean {
  const read = readTextFileSync(file, LARGEST_BYTES);
  return read.type === 'read' && /"permission"\s*:.*"ask"/s.test(read.text);
}
