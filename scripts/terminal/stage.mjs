import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startModelServer } from '../../src/testing/modelServer.ts';
import { openInTmux } from './tmux.mjs';

/**
 * A program with a home, a project and a model of its own, ready for a prompt. Nothing of the person's environment reaches it, and
 * the model is on loopback.
 */
export async function openStage(program, { answer, settings = {}, files = {}, args = [] }) {
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'sg-')));
  const [home, project] = [path.join(folder, 'home'), path.join(folder, 'project')];
  const write = (name, text) => {
    const file = path.join(project, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
  };
  mkdirSync(home);
  write('.claude/settings.json', JSON.stringify(settings));
  for (const [name, text] of Object.entries(files)) write(name, text);
  program.prepare({ home, project });
  const server = await startModelServer(answer);
  const env = {
    ...{
      PATH: process.env.PATH,
      HOME: home,
      TERM: 'xterm-256color',
      LANG: 'C.UTF-8',
      SHELL: '/bin/sh',
      TMPDIR: folder,
    },
    ...{ ANTHROPIC_API_KEY: 'dummy', ANTHROPIC_BASE_URL: server.url },
    ...program.env,
  };
  const close = async (tmux) => {
    await tmux?.close();
    await server.close();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  };
  let tmux;
  try {
    tmux = await openInTmux({ folder, cwd: project, command: program.command(args), env });
    await tmux.sees(program.ready);
  } catch (error) {
    await close(tmux);
    throw error;
  }
  return {
    ...tmux,
    folder,
    write,
    /** The bodies of all requests so far. */
    requests: () => server.seen.map(({ body }) => body),
    submit: async (text) => {
      await tmux.type(text);
      await tmux.sees(text.slice(0, 40));
      await tmux.press('Enter');
    },
    [Symbol.asyncDispose]: () => close(tmux),
  };
}
