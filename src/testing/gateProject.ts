import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createGate } from '../gate/createGate.ts';
import type { GateOptions } from '../gate/types.ts';
import { ledgerFile } from '../stop/ledger.ts';
import { tempFolder } from './tempFolder.ts';

/** A repository with a home of its own. */
export async function gateProject() {
  const folder = await tempFolder();
  const cwd = path.join(folder.path, 'project');
  const stopgateHome = path.join(folder.path, 'home');
  mkdirSync(cwd);
  const git = (...args: string[]) => execFileSync('git', args, { cwd });
  git('init', '-q');
  git('-c', 'user.name=t', '-c', 'user.email=t@t', 'commit', '-q', '--allow-empty', '-m', 'start');
  const env = { PATH: process.env.PATH, HOME: folder.path };
  return {
    cwd,
    stopgateHome,
    write: (name: string, text: string) => writeFileSync(path.join(cwd, name), text),
    gate: (options: Partial<GateOptions> = {}) => createGate({ cwd, stopgateHome, env, ...options }),
    ledger: (session: string) =>
      readFileSync(ledgerFile(stopgateHome, session), 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
}

/** Done when `answer.txt` says yes. */
export const DONE = [{ name: 'done', command: 'grep -q yes answer.txt' }];
