import { execFileSync } from 'node:child_process';
import { closeSync, openSync, writeFileSync, writeSync } from 'node:fs';
import path from 'node:path';
import { findProgram } from '../../src/system/findProgram.ts';

const SOURCE = path.join(import.meta.dirname, 'clockShim.c');
const compiler = ['cc', 'gcc', 'clang'].find((name) => findProgram(name, '/', process.env.PATH) !== null);

/** Why no clock can be set for a test here; null when it can. Never the machine's own. */
export const whyNoShim =
  process.platform !== 'linux' ? 'only on Linux' : compiler === undefined ? 'no C compiler on the PATH' : null;

export interface ClockShim {
  /** For every process whose clock is to be set. */
  readonly env: Readonly<Record<string, string>>;
  /** Sets their clock this far from the machine's, while they run. */
  setTo(ms: number): void;
}

export function clockShim(folder: string): ClockShim {
  const library = path.join(folder, 'clockShim.so');
  const file = path.join(folder, 'clockShim.ms');
  execFileSync(compiler ?? 'cc', ['-shared', '-fPIC', '-O1', '-o', library, SOURCE], { stdio: 'pipe' });
  writeFileSync(file, Buffer.alloc(8));
  return {
    env: { LD_PRELOAD: library, CLOCK_SHIM: file },
    setTo: (ms) => {
      const bytes = Buffer.alloc(8);
      bytes.writeBigInt64LE(BigInt(ms));
      // in place: those who have it mapped would not see another file
      const open = openSync(file, 'r+');
      writeSync(open, bytes, 0, 8, 0);
      closeSync(open);
    },
  };
}
