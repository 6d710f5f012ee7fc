import { PERMISSION_MODES } from '../../../permissions/types.ts';
import type { TerminalSession } from './terminalSession.ts';

/** A command that the session runs itself; others are the project's, and prompts. */
export interface SlashCommand {
  readonly about: string;
  readonly hint?: string;
  run(session: TerminalSession, argument: string): Promise<void> | void;
}

/** Runs a command of the command line and prints what it prints. */
const printed =
  (...args: readonly string[]): SlashCommand['run'] =>
  (session, argument) =>
    session.runCommand([...args, ...argument.split(/\s+/).filter(Boolean)]);

export const SLASH_COMMANDS: Readonly<Record<string, SlashCommand>> = {
  help: {
    about: 'the keys and commands of a session',
    run: (session) => session.print(helpLines()),
  },
  btw: {
    about: 'ask beside the conversation; nothing of it becomes part of it',
    hint: 'QUESTION',
    run: (session, question) => session.askBeside(question),
  },
  clear: { about: 'begin a new conversation', run: (session) => session.leave({ type: 'clear' }) },
  resume: {
    about: 'continue an earlier session of this folder',
    hint: '[SESSION]',
    run: (session, id) => session.resume(id),
  },
  model: {
    about: 'show or change the model',
    hint: '[MODEL]',
    run: (session, name) => session.chooseModel(name),
  },
  mode: {
    about: `show or change the permission mode (${PERMISSION_MODES.join(', ')})`,
    hint: '[MODE]',
    run: (session, mode) => session.chooseMode(mode),
  },
  permissions: { about: 'the mode and the rules that hold now', run: (session) => session.print(session.rules()) },
  cost: { about: 'what this session spent', run: (session) => session.print(session.spend()) },
  goal: { about: 'the checks that this session is held to', run: (session) => session.print(session.goal()) },
  tasks: {
    about: 'background commands and subagents; /tasks stop ends them',
    hint: '[stop]',
    run: (session, what) => session.tasks(what),
  },
  why: { about: 'how the last stop was decided', run: (session) => session.runCommand(['why', session.id]) },
  receipt: { about: 'what the last stop proved', run: (session) => session.runCommand(['receipt', session.id]) },
  status: { about: 'checks, sessions and background work of this folder', run: printed('status') },
  hooks: { about: 'the hooks that run here', run: printed('hooks', 'list') },
  trust: { about: 'what this project may run, and what was approved', run: (session) => session.trust() },
  exit: { about: 'end the session', run: (session) => session.leave({ type: 'exit' }) },
};

const KEYS: readonly (readonly [string, string])[] = [
  ['enter', 'sends; while it works, steers the running turn at its next step'],
  ['tab', 'takes the suggestion; while it works, queues for after the turn'],
  ['alt+↑', 'takes the last queued text back'],
  ['esc', 'interrupts the turn, or the checks of its stop'],
  ['shift+tab', 'next permission mode'],
  ['ctrl+o', 'prints all of the last turn: commands, output, times, what the model was told'],
  ['shift+enter, ctrl+j', 'new line'],
  ['↑', 'earlier prompts'],
  ['!command', 'runs a command yourself'],
  ['@file', 'names a file'],
  ['ctrl+z', 'suspends; fg continues'],
  ['ctrl+c, ctrl+d', 'on an empty line: ends the session'],
];

function helpLines(): readonly string[] {
  const rows = [
    ...KEYS,
    ...Object.entries(SLASH_COMMANDS).map(
      ([name, { about, hint = '' }]) => [`/${name} ${hint}`.trim(), about] as const,
    ),
  ];
  const width = Math.max(...rows.map(([name]) => name.length));
  return rows.map(([name, about]) => `  ${name.padEnd(width)}  ${about}`);
}
