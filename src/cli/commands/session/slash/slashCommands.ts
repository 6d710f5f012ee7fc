import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { memoryFolder } from '../../../../background/memory/memoryFolder.ts';
import { PERMISSION_MODES } from '../../../../permissions/types.ts';
import { listSessions } from '../../../../session/transcript/sessionFiles.ts';
import { sessionTitle } from '../../../../session/transcript/sessionTitle.ts';
import { wallNow } from '../../../../system/clock.ts';
import { formatAgo } from '../../../../system/formatDuration.ts';
import { formatTokens } from '../../../../system/formatTokens.ts';
import { nearestName } from '../../../../system/nearestName.ts';
import { readTextFile } from '../../../../system/readTextFile.ts';
import { version } from '../../../../system/version.ts';
import { listPanel } from '../../../output/screen/panels/listPanel.ts';
import { textPanel } from '../../../output/screen/panels/textPanel.ts';
import { oneLine } from '../../../output/visibleText.ts';
import { nameSession, readSessionNames, sessionNamed } from '../../../wiring/sessionNames.ts';
import { countHooks, countText, listHooks } from '../../hooks/list/listedHooks.ts';
import { KEYS } from '../keys.ts';
import { runOwnCommand } from '../runBeside.ts';
import type { SessionControls } from '../sessionControls.ts';
import { showTasks } from './tasks.ts';

/** Prints what a command of the command line prints. */
const printed =
  (args: (session: SessionControls) => readonly string[]): SlashCommand['run'] =>
  async (session) => {
    const { lines, failure } = await runOwnCommand(args(session), session.world);
    session.print([...lines, ...(failure === null || lines.length > 0 ? [] : [session.paint('red', failure)])]);
  };

export const SLASH_COMMANDS: Readonly<Record<string, SlashCommand>> = {
  help: { about: 'the keys and commands of a session', run: (session) => showHelp(session, SLASH_COMMANDS) },
  btw: { about: 'ask beside the conversation; nothing of it becomes part of it', hint: 'QUESTION', run: askBeside },
  clear: { about: 'begin a new conversation', run: (session) => session.leave({ type: 'clear' }) },
  resume: { about: 'continue an earlier session of this folder', hint: '[SESSION]', run: resumeSession },
  rename: {
    about: 'name this session; --resume and /resume take the name',
    hint: 'NAME',
    run: async (session, name) => {
      if (name === '') return session.print(['Write the name after it: /rename invoice fix']);
      await nameSession(session.sessionsDir, session.id, name);
      session.print([`This session is "${name}" now.`]);
    },
  },
  model: { about: 'show or change the model', hint: '[MODEL]', run: chooseModel },
  mode: { about: 'show or change the permission mode', hint: '[MODE]', run: chooseMode },
  permissions: { about: 'the mode and the rules that hold now', run: showRules },
  cost: {
    about: 'what this session spent',
    run: (session) => {
      const { totalUsd, totalOutputTokens } = session.opened.ledger;
      session.print([`$${totalUsd.toFixed(4)} · ${formatTokens(totalOutputTokens)} output tokens`]);
    },
  },
  goal: {
    about: 'the checks that this session is held to',
    run: (session) =>
      session.print([session.opened.armed.sentence ?? 'No checks: this project has no stopgate.config.json.']),
  },
  tasks: { about: 'subagents and background tasks: look into one, stop one', run: (session) => showTasks(session) },
  why: { about: 'how the last stop was decided', run: printed(({ id }) => ['why', id]) },
  receipt: { about: 'what the last stop proved', run: printed(({ id }) => ['receipt', id]) },
  waive: { about: 'accept a failing check in this session', hint: 'CHECK REASON', run: waiveCheck },
  trust: { about: 'review what this project wants to switch on', run: reviewTrust },
  status: { about: 'checks, sessions and background work of this folder', run: printed(() => ['status']) },
  hooks: { about: 'the hooks that run here', run: printed(() => ['hooks', 'list']) },
  doctor: { about: 'what works in this session and what does not, and why', run: showDoctor },
  memory: {
    about: 'what is remembered of this project',
    run: (session) => showMemory(session, memoryFolder(session.sessionsDir)),
  },
  compact: {
    about: 'summarize the conversation, to make room',
    hint: '[INSTRUCTIONS]',
    run: (session, instructions) => session.prompts.add(`/compact ${instructions}`.trim(), 'queue'),
  },
  exit: { about: 'end the session', run: (session) => session.leave({ type: 'exit' }) },
};

/** A sentence for a misspelled command; null for one of the project, and for a prompt such as a path. */
export async function whyUnknown(text: string, session: SessionControls): Promise<string | null> {
  const [, name] = /^\/([\w:-]+)(?:\s|$)/.exec(text) ?? [];
  if (name === undefined || !session.isOpen) return null;
  const { commands, skills } = await session.opened.listNames();
  const known = [...Object.keys(SLASH_COMMANDS), ...commands, ...skills];
  if (known.includes(name)) return null;
  const nearest = nearestName(name, known);
  return `Unknown command /${name}${nearest === undefined ? '' : `; did you mean /${nearest}?`} /help lists the commands.`;
}

/** Returns whether the text was a command of the session itself. */
export async function runSlashCommand(text: string, session: SessionControls): Promise<boolean> {
  const [, name = '', argument = ''] = /^\/([\w-]+)(?:\s+(.*))?$/s.exec(text.trim()) ?? [];
  const command = Object.hasOwn(SLASH_COMMANDS, name) ? SLASH_COMMANDS[name] : undefined;
  if (command === undefined) return false;
  session.print(['', session.paint('dim', `> ${text}`)]);
  await command.run(session, argument.trim());
  return true;
}

/** The turn may go on meanwhile. */
async function askBeside(session: SessionControls, question: string): Promise<void> {
  if (question === '') return session.print(['Write the question after it: /btw why did you choose that file?']);
  const { paint, view } = session;
  let answer = ['…'];
  const text = () => [...answer, '', paint('dim', 'Nothing of this is in the conversation.')];
  const close = view.show(textPanel({ title: `btw: ${question}`, text, paint, close: () => close() }));
  answer = ((await session.side?.ask(question)) ?? 'The session is still being opened.').split('\n');
  view.update();
}

function chooseModel(session: SessionControls, name: string): void {
  const { choices, paint } = session;
  if (name === '') {
    session.print([`The model is ${choices.model?.id ?? 'not known yet'}; /model NAME changes it.`]);
    return;
  }
  const resolved = session.opened.gathered.resolveModel(name);
  if (resolved.type === 'ok') choices.model = resolved.model;
  session.print([
    resolved.type === 'ok' ? `From the next prompt on: ${resolved.model.id}.` : paint('red', resolved.message),
  ]);
}

function chooseMode(session: SessionControls, text: string): void {
  const { choices } = session;
  const mode = choices.chooseMode(text);
  const known = PERMISSION_MODES.join(', ');
  session.print([
    mode === undefined ? `The mode is ${choices.mode}; /mode NAME changes it (${known}).` : `From now on: ${mode}.`,
  ]);
}

function showRules(session: SessionControls): void {
  const { choices } = session;
  const { allow, ask, deny } = choices.permissions?.rules ?? { allow: [], ask: [], deny: [] };
  const list = (name: string, rules: readonly string[]) =>
    `  ${name}: ${rules.length === 0 ? 'none' : rules.join(', ')}`;
  session.print([`mode: ${choices.mode}`, list('allow', allow), list('ask', ask), list('deny', deny)]);
}

const MAX_BYTES = 100_000;

async function showMemory({ view, paint }: SessionControls, folder: string): Promise<void> {
  const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.md')).sort();
  const files = await Promise.all(names.map((name) => readTextFile(path.join(folder, name), MAX_BYTES)));
  const texts = files.flatMap((read, index) =>
    read.type === 'read' ? [`── ${names[index]}`, ...read.text.trimEnd().split('\n'), ''] : [],
  );
  const lines = texts.length === 0 ? [`Nothing is remembered of this project (${folder}).`] : [folder, '', ...texts];
  const close = view.show(textPanel({ title: 'Memory', text: () => lines, paint, close: () => close() }));
}

function showHelp(session: SessionControls, commands: Readonly<Record<string, SlashCommand>>): void {
  const rows = [
    ...KEYS.map(({ shown, about }) => [shown, about] as const),
    ...Object.entries(commands).map(([name, { about, hint = '' }]) => [`/${name} ${hint}`.trim(), about] as const),
  ];
  const width = Math.max(...rows.map(([name]) => name.length));
  session.print(rows.map(([name, about]) => `  ${name.padEnd(width)}  ${about}`));
}

/** A command that the session runs itself; others are the project's own, and prompts. */
interface SlashCommand {
  readonly about: string;
  /** What may follow it. */
  readonly hint?: string;
  run(session: SessionControls, argument: string): Promise<void> | void;
}

// A child process of a session counts as its agent's, and may do neither: these run here, where the person types.

/** Its questions need the terminal. */
async function reviewTrust(session: SessionControls): Promise<void> {
  const { runTrust } = await import('../../trust/runTrust.ts');
  const code = await session.view.without(() => runTrust(undefined, {}));
  if (code !== 0) return;
  // checks and settings are decided when a session opens
  const { length } = session.opened.params.history;
  const hasBegun = session.hasTalked || length > 0;
  session.print(['What was approved holds from now on: the session is opened again with it.']);
  session.leave(hasBegun ? { type: 'resume', id: session.id } : { type: 'clear' });
}

/** A person's decision about this session. */
async function waiveCheck(session: SessionControls, argument: string): Promise<void> {
  const [, check = '', reason = ''] = /^(\S+)\s+(.+)$/s.exec(argument) ?? [];
  const names = session.opened.armed.checks;
  if (check === '' || !names.includes(check)) {
    const list = names.length === 0 ? 'this session has no checks' : `the checks are ${names.join(', ')}`;
    return session.print([
      `Write a check and the reason after it, for example /waive tests fails on main too (${list}).`,
    ]);
  }
  await session.prompts.begun;
  const { runWaive } = await import('../../waive/runWaive.ts');
  await session.view.without(() => runWaive(session.id, { check, reason }));
  session.print([`${check} is waived in this session: ${reason}`]);
}

const MOST_LISTED = 50;

/** By its name or id, or from a list of the folder's sessions. */
async function resumeSession(session: SessionControls, wanted: string): Promise<void> {
  const { sessionsDir, view, paint, world } = session;
  const others = (await listSessions(sessionsDir)).filter(({ id }) => id !== session.id);
  if (wanted !== '') {
    const named = sessionNamed(sessionsDir, wanted);
    const found = others.filter(({ id }) => id === named || id.startsWith(wanted));
    const [only] = found;
    if (found.length === 1 && only !== undefined) return session.leave({ type: 'resume', id: only.id });
    return session.print([
      `${found.length === 0 ? 'No' : 'More than one'} session matches "${wanted}"; /resume lists them.`,
    ]);
  }
  if (others.length === 0) return session.print(['There is no other session in this folder.']);
  const names = readSessionNames(sessionsDir);
  const now = wallNow(world.clock);
  const listed = await Promise.all(
    others.slice(0, MOST_LISTED).map(async ({ id, file, modifiedAt }) => ({
      id,
      label: oneLine(names[id] ?? (await sessionTitle(file)) ?? id, 70),
      detail: `${formatAgo(modifiedAt, now)} · ${id.slice(0, 8)}`,
    })),
  );
  const run = ({ id }: { readonly id: string }) => {
    close();
    session.leave({ type: 'resume', id });
  };
  const actions = [{ key: 'enter', label: 'continues it', run } as const];
  const close = view.show(
    listPanel({ title: 'Which session?', items: () => listed, paint, actions, close: () => close() }),
  );
}

/** What works here and what does not, and why: the same facts that the session runs with. */
function showDoctor(session: SessionControls): void {
  const { opened, paint, choices } = session;
  const { gathered, armed, mcpServers } = opened;
  const { hooks, settings, sandbox, trust } = gathered;
  const list = listHooks(hooks, settings.merged.hooks);
  const off = list.hooks.flatMap(({ hook, whyNot }) =>
    whyNot === null ? [] : [`${hook.event} ${hook.label}: ${whyNot}`],
  );
  const broken = list.broken.map(
    ({ file, line, problems }) => `${file}${line === undefined ? '' : `:${line}`}: ${problems.join('; ')}`,
  );
  const row = (isFine: boolean, name: string, text: string) =>
    `${isFine ? paint('green', '✓') : paint('yellow', '!')} ${name}: ${text}`;
  session.print([
    row(true, 'Stopgate', `${version} on Node ${process.versions.node}`),
    row(true, 'Model', `${choices.model?.id ?? 'unknown'}, key from ${choices.model?.keySource ?? 'none'}`),
    row(trust.level !== 'none' || off.length === 0, 'Trust', TRUST[trust.level]),
    row(armed.checks.length > 0, 'Checks', armed.sentence ?? 'none: this project has no stopgate.config.json'),
    row(off.length + broken.length === 0, 'Hooks', countText(countHooks(list))),
    ...[...off, ...broken].map((why) => paint('yellow', `    ${why}`)),
    ...mcpServers.map(({ name, status }) => row(status === 'connected', `MCP server ${name}`, status)),
    row(
      sandbox !== undefined,
      'Sandbox',
      sandbox === undefined ? 'off ("sandbox": {"enabled": true} switches it on)' : 'on',
    ),
    ...opened.warnings.map((warning) => row(false, 'Warning', warning)),
  ]);
}

const TRUST = {
  run: 'this project, for this run (--trust-project)',
  content: 'what you approved of this project (/trust)',
  path: 'given by an older version, nothing runs: /trust approves it anew',
  none: 'this project is not trusted: /trust shows what it wants to switch on',
} as const;
