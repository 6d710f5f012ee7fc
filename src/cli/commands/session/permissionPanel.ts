import { matchesKey } from '@earendil-works/pi-tui';
import { suggestedUpdates } from '../../../permissions/suggestedUpdates.ts';
import type { PermissionQuestion, PersonsAnswer } from '../../../query/person.ts';
import type { Paint } from '../../output/colors.ts';
import type { Panel } from './sessionScreen.ts';
import { callLines } from './view/blocks.ts';

const SHOWN_LINES = 20;

export interface PermissionChoice {
  readonly key: string;
  readonly label: string;
  readonly answer: PersonsAnswer | 'why';
}

/** What can be answered: once, always (with the rule it makes), no, and no with a reason. */
export function choicesFor({ suggestion }: PermissionQuestion): readonly PermissionChoice[] {
  const updates = suggestedUpdates({ type: 'ask', reason: '', ...(suggestion !== undefined && { suggestion }) });
  return [
    { key: 'y', label: 'yes, once', answer: { type: 'allow' } },
    ...(suggestion === undefined
      ? []
      : [{ key: 'a', label: `always in this session: ${suggestion}`, answer: { type: 'allow', updates } as const }]),
    { key: 'n', label: 'no', answer: { type: 'deny', reason: 'The user said no.' } },
    { key: 'w', label: 'no, and say what to do instead', answer: 'why' },
  ];
}

interface PermissionPanel {
  readonly question: PermissionQuestion;
  readonly paint: Paint;
  readonly answer: (answer: PersonsAnswer | 'why') => void;
  /** Keys may still belong to something else. */
  readonly isBusy: () => boolean;
}

export function permissionPanel({ question, paint, answer, isBusy }: PermissionPanel): Panel {
  const choices = choicesFor(question);
  const { toolName, input, reason, agentId } = question;
  return {
    lines: () => {
      const call = callLines(toolName, input, paint);
      const shown = call.slice(0, SHOWN_LINES);
      const more = call.length - shown.length;
      return [
        paint('bold', `${agentId === undefined ? '' : `Subagent ${agentId}: `}May ${toolName} run?`),
        ...shown.map((line) => `  ${line}`),
        ...(more > 0 ? [paint('dim', `  … ${more} more lines`)] : []),
        paint('dim', reason),
        ...(isBusy()
          ? [paint('dim', '  … you are typing; the answers come in a moment')]
          : choices.map(({ key, label }) => `  ${paint('cyan', key)}  ${label}`)),
      ];
    },
    key: (data) => {
      if (matchesKey(data, 'escape')) {
        answer({ type: 'deny', reason: 'The user interrupted.', ends: true });
        return true;
      }
      // a paste is longer than one key, and must not answer
      if (data.length > 1 || isBusy()) return !matchesKey(data, 'ctrl+c');
      const choice = choices.find(({ key }) => key === data.toLowerCase());
      if (choice !== undefined) answer(choice.answer);
      return true;
    },
  };
}
