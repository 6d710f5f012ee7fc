import { isKey, type KeyName } from '../../output/screen/keys.ts';
import type { ViewEvents } from './sessionView.ts';

/** What a key may look at and do, besides the session's own events. */
export interface KeyTarget {
  readonly events: ViewEvents;
  readonly isWorking: boolean;
  readonly isCompleting: boolean;
  readonly suggestion: string | undefined;
  draft: string;
  showWhole(): void;
  /** Sends the draft. */
  submit(use: 'queue'): void;
}

interface KeyRow {
  /** As `/help` shows it. */
  readonly shown: string;
  readonly about: string;
  /** None: the editor has it. */
  readonly keys?: readonly KeyName[];
  readonly when?: (target: KeyTarget) => boolean;
  run?(target: KeyTarget): void;
}

const isEmpty = ({ draft }: KeyTarget) => draft === '';
const isPrompt = ({ draft, isWorking }: KeyTarget) => isWorking && draft.trim() !== '' && !draft.startsWith('/');

/** Every key of a session, the first that applies wins. */
export const KEYS: readonly KeyRow[] = [
  { shown: 'enter', about: 'sends; while it works, steers the running turn at its next step' },
  {
    shown: 'tab, →',
    about: 'take the suggestion',
    keys: ['tab', 'right'],
    when: (target) => isEmpty(target) && target.suggestion !== undefined,
    run: (target) => {
      target.draft = target.suggestion ?? '';
    },
  },
  {
    shown: 'tab',
    about: 'while it works: queues for after the turn',
    keys: ['tab'],
    when: isPrompt,
    run: (target) => target.submit('queue'),
  },
  {
    shown: 'alt+↑',
    about: 'takes the last queued text back, to edit or remove it',
    keys: ['alt+up'],
    run: (target) => {
      const back = target.events.takeBack();
      if (back !== undefined) target.draft = [back, target.draft].filter(Boolean).join('\n');
    },
  },
  {
    shown: 'esc',
    about: 'interrupts the turn or the checks of its stop; again: ends what still runs in the background',
    keys: ['escape'],
    when: ({ isCompleting }) => !isCompleting,
    run: ({ events }) => events.interrupt(),
  },
  { shown: 'shift+tab', about: 'next permission mode', keys: ['shift+tab'], run: ({ events }) => events.cycleMode() },
  {
    shown: 'ctrl+o',
    about: 'all of the last turn: commands, output, times, what the model was told',
    keys: ['ctrl+o'],
    run: (target) => target.showWhole(),
  },
  { shown: 'ctrl+r', about: 'searches earlier prompts', keys: ['ctrl+r'], run: ({ events }) => events.searchHistory() },
  {
    shown: 'ctrl+t',
    about: 'subagents and background tasks',
    keys: ['ctrl+t'],
    run: ({ events }) => events.showTasks(),
  },
  { shown: 'ctrl+z', about: 'suspends; fg continues', keys: ['ctrl+z'], run: ({ events }) => events.suspend() },
  {
    shown: 'ctrl+c',
    about: 'clears the input; on an empty one interrupts the turn; twice ends the session',
    keys: ['ctrl+c'],
    run: (target) => {
      if (isEmpty(target)) target.events.interruptOrLeave();
      else target.draft = '';
    },
  },
  {
    shown: 'ctrl+d',
    about: 'on an empty input: ends the session',
    keys: ['ctrl+d'],
    when: isEmpty,
    run: ({ events }) => events.leave(),
  },
  { shown: 'shift+enter, ctrl+j', about: 'new line' },
  { shown: '↑', about: 'earlier prompts' },
  { shown: '!command', about: 'runs a command yourself' },
  { shown: '@file', about: 'names a file or image for the model to read' },
];

/** Returns whether the key was one of ours. */
export function pressKey(data: string, target: KeyTarget): boolean {
  const row = KEYS.find(({ keys = [], when = () => true }) => isKey(data, ...keys) && when(target));
  row?.run?.(target);
  return row !== undefined;
}
