import { Option } from 'commander';
import { HOSTS } from '../../../hosts/all.ts';

/** `--host codex,gemini`, or given several times. */
export function hostOption(usual: string): Option {
  const names = HOSTS.flatMap(({ wiring }) => wiring?.flag ?? []).join(', ');
  return new Option('--host <names>', `which agents: ${names} (${usual})`).argParser(
    (value: string, before: readonly string[] = []) => [...before, ...value.split(',').map((name) => name.trim())],
  );
}
