import { execFileSync } from 'node:child_process';
import type { ServerReply } from '../../src/testing/modelServer.ts';
import { type TestProject, testProject } from './project.ts';
import { KEYS, openScreen } from './screen.ts';

type Screen = ReturnType<typeof openScreen>;
type ScreenOptions = NonNullable<Parameters<typeof openScreen>[1]>;

export const bash = (command: string): ServerReply => ({ tools: [{ name: 'Bash', input: { command } }] });
/** A command that a test ends by writing the file. */
export const until = (file: string) => `until [ -e ${file} ]; do sleep 0.05; done`;

export const settings = (hooks: unknown, more: object = {}) => JSON.stringify({ hooks, ...more });
export const hook = (event: string, ...commands: readonly (string | object)[]) => ({
  [event]: [{ hooks: commands.map((one) => (typeof one === 'string' ? { type: 'command', command: one } : one)) }],
});

/** The words of the last message that a model was sent. */
export const lastMessage = (project: TestProject, at = -1) =>
  JSON.stringify(project.server.seen.at(at)?.body.messages.at(-1) ?? '');
export const allMessages = (project: TestProject, at = -1) =>
  JSON.stringify(project.server.seen.at(at)?.body.messages ?? '');

export interface TestSession extends Screen {
  readonly project: TestProject;
  /** Types a line and sends it. */
  send(text: string): void;
  /** Another session in the same project. */
  again(options?: ScreenOptions): Promise<TestSession>;
}

interface SessionOptions extends ScreenOptions {
  /** Replies in order, then `more`; or a function of the request. */
  readonly replies?: readonly ServerReply[] | Parameters<typeof testProject>[0];
  readonly files?: Readonly<Record<string, string>>;
  readonly git?: boolean;
}

/** A session that is ready to be typed into. */
export async function openTestSession(options: SessionOptions = {}): Promise<TestSession> {
  const { replies = [], files = {}, git = false, ...screen } = options;
  const answer = typeof replies === 'function' ? replies : (_: unknown, n: number) => replies[n] ?? { text: 'more' };
  const project = await testProject(answer);
  for (const [file, text] of Object.entries(files)) project.write(file, text);
  if (git) execFileSync('git', ['init', '-q'], { cwd: project.dir });
  return openIn(project, screen, true);
}

async function openIn(project: TestProject, options: ScreenOptions, isOwner: boolean): Promise<TestSession> {
  const session = openScreen(project, options);
  const plain = options.args?.includes('--plain') || options.env?.TERM === 'dumb';
  // the heading, printed when everything is open
  await session.sees(plain ? 'Type a prompt' : 'anthropic/claude');
  return {
    ...session,
    project,
    send: (text) => session.type(`${text}${KEYS.enter}`),
    again: (more = {}) => openIn(project, more, false),
    [Symbol.asyncDispose]: async () => {
      await session[Symbol.asyncDispose]();
      if (isOwner) await project[Symbol.asyncDispose]();
    },
  };
}
