import { memoryFolder } from '../../../../background/memory/memoryFolder.ts';
import { formatTokens } from '../../../../system/formatTokens.ts';
import { nearestName } from '../../../../system/nearestName.ts';
import { nameSession } from '../../../wiring/sessionNames.ts';
import { runOwnCommand } from '../runBeside.ts';
import type { SessionControls } from '../sessionControls.ts';
import { askBeside } from './btw.ts';
import { chooseMode, chooseModel, showRules } from './choices.ts';
import { reviewTrust, waiveCheck } from './consent.ts';
import { showDoctor } from './doctor.ts';
import { showHelp } from './help.ts';
import { showMemory } from './memory.ts';
import { resumeSession } from './resume.ts';
import type { SlashCommand } from './slashCommand.ts';
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
