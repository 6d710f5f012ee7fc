import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Names that only print themselves; any of them that runs was run by the line. */
export const CANARIES = ['K1', 'K2', 'K3', 'K4'] as const;

/** Programs that lines may run for real: they change nothing but the scratch folder. */
const PROGRAMS = ['cat', 'env', 'sort', 'head', 'xargs', 'timeout', 'nice', 'tr', 'awk', 'sed', 'find', 'bash', 'sh'];

/** Reads lines that end in NUL. Each runs in a process and a folder of its own; its canaries print its number. */
const DRIVER = `
for k in ${CANARIES.join(' ')}; do eval "$k() { printf '%s %s\\n' \\$NO $k >&9; }"; export -f "$k"; done
export NO=0
while IFS= read -r -d '' line; do
  ( ulimit -t 1; cd "$SCRATCH/$NO" || exit; PATH=$PROGRAMS; exec </dev/null >/dev/null 2>&1; eval "$line"; wait )
  printf '%s -\\n' $NO >&9
  NO=$(( (NO + 1) % BATCH ))
done
`;

export const BATCH = 500;

/** A bash that runs lines and reports which canaries each of them ran. */
export interface BashRunner {
  /** At most `BATCH` lines. */
  run(lines: readonly string[]): Promise<readonly ReadonlySet<string>[]>;
  close(): void;
}

export function startBashRunner(): BashRunner {
  const root = mkdtempSync(join(tmpdir(), 'stopgate-fuzz-'));
  const programs = makePrograms(root);
  const scratch = join(root, 'scratch');
  const env = { SCRATCH: scratch, PROGRAMS: programs, BATCH: `${BATCH}`, PATH: '/usr/bin:/bin', LC_ALL: 'C.UTF-8' };
  const none = Array.from({ length: 8 }, () => 'ignore' as const);
  const child = spawn('/bin/bash', ['--norc', '-c', DRIVER], { env, stdio: ['pipe', ...none, 'pipe'] });
  const log: unknown = child.stdio.at(9);
  const { stdin } = child;
  if (!(log instanceof Socket) || !stdin) throw new Error('bash has no pipes');
  log.setEncoding('utf8');
  const gone = new Promise<never>((_, reject) => {
    child.once('exit', (code) => reject(new Error(`bash ended with ${code}`)));
  });
  // it also ends when it is closed
  gone.catch(() => {});
  let onEntry = (_number: number, _name: string): void => {};
  let rest = '';
  log.on('data', (text: string) => {
    const entries = (rest + text).split('\n');
    rest = entries.pop() ?? '';
    for (const [number = '', name = ''] of entries.map((entry) => entry.split(' '))) onEntry(Number(number), name);
  });
  return {
    async run(lines) {
      if (lines.length > BATCH) throw new Error('too many lines');
      const all = [...lines, ...Array.from({ length: BATCH - lines.length }, () => ':')];
      rmSync(scratch, { recursive: true, force: true });
      for (const number of all.keys()) mkdirSync(join(scratch, `${number}`), { recursive: true });
      const found = all.map(() => new Set<string>());
      const done = new Promise<void>((resolve) => {
        let ended = 0;
        // a line that waits for something is ended; what it ran by then counts
        const watch = () => setTimeout(() => endChildren(child.pid), 5000);
        let timer = watch();
        onEntry = (number, name) => {
          if (name !== '-') found[number]?.add(name);
          else {
            clearTimeout(timer);
            if (++ended === BATCH) resolve();
            else timer = watch();
          }
        };
        stdin.write(all.map((line) => `${line}\0`).join(''));
      });
      await Promise.race([done, gone]);
      return found.slice(0, lines.length);
    },
    close() {
      endChildren(child.pid);
      child.kill('SIGKILL');
      rmSync(root, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

function makePrograms(root: string): string {
  const folder = join(root, 'bin');
  mkdirSync(folder);
  for (const name of PROGRAMS) symlinkSync(join(name.endsWith('sh') ? '/bin' : '/usr/bin', name), join(folder, name));
  // functions are quick; scripts are found by what another program starts
  for (const name of CANARIES) writeFileSync(join(folder, name), `#!/bin/sh\necho $NO ${name} >&9\n`, { mode: 0o755 });
  return folder;
}

function endChildren(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    execFileSync('pkill', ['-KILL', '-P', `${pid}`]);
  } catch {
    // none was left
  }
}
