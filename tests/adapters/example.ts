import { execFile } from 'node:child_process';
import { cpSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { tempFolder } from '../../src/testing/tempFolder.ts';
import type { Peer } from '../support/peers.ts';
import { IS_LONG } from '../support/testSize.ts';
import { programFolder } from './peer.ts';

const run = promisify(execFile);
const REPOSITORY = path.join(import.meta.dirname, '../..');
const TYPESCRIPT = path.dirname(createRequire(import.meta.url).resolve('typescript/package.json'));

/** Strict, with the types of Node and of the installed framework and nothing else. */
const tsconfig = (files: readonly string[]) => ({
  compilerOptions: {
    target: 'es2024',
    lib: ['es2024', 'esnext.disposable', 'dom'],
    module: 'nodenext',
    strict: true,
    exactOptionalPropertyTypes: true,
    noEmit: true,
    skipLibCheck: true,
    allowImportingTsExtensions: true,
    types: ['node'],
    typeRoots: [path.join(REPOSITORY, 'node_modules/@types')],
  },
  files,
});

/**
 * `examples/adapters/NAME.ts` in a program that has the framework and the built package. Types of a framework change only with its
 * version, which is pinned, and the compiler takes two seconds of a processor: every run asks it of one adapter, in
 * `agentSdk.test.ts`.
 */
export function itRunsItsExample(name: string, peer: Peer): void {
  it.skipIf(peer.type === 'missing')(
    IS_LONG ? 'its example runs, and has the types of the framework' : 'its example runs',
    async () => {
      await using folder = await tempFolder();
      const cwd = folder.path;
      cpSync(path.join(REPOSITORY, 'examples/adapters'), cwd, { recursive: true });
      programFolder(peer, cwd);
      writeFileSync(path.join(cwd, 'package.json'), '{"type":"module"}');
      writeFileSync(path.join(cwd, 'tsconfig.json'), JSON.stringify(tsconfig([`${name}.ts`])));
      const env = { PATH: process.env.PATH, HOME: cwd, STOPGATE_HOME: path.join(cwd, 'home') };
      const { stdout } = await run(process.execPath, [`${name}.ts`], { cwd, env, timeout: 20_000 });
      expect(stdout).toContain('Done: greeting.txt has a greeting.');
      expect(stdout).toContain('Now it has one.');
      expect(stdout).toContain('ended: passed (greeting)');
      if (!IS_LONG) return;
      const checked = run(process.execPath, [path.join(TYPESCRIPT, 'bin/tsc'), '-p', cwd], { cwd, timeout: 25_000 });
      expect(
        await checked.then(
          () => '',
          ({ stdout }) => stdout,
        ),
      ).toBe('');
    },
    60_000,
  );
}
