import { suggestedUpdates } from '../../../permissions/suggestedUpdates.ts';
import type { PermissionQuestion, PersonsAnswer } from '../../../query/person.ts';
import type { Paint } from '../../output/colors.ts';
import { isKey } from '../../output/screen/keys.ts';
import { type Panel, wrapped } from '../../output/screen/panels/panel.ts';
import { oneLine } from '../../output/visibleText.ts';

/** Lines of the call that are shown with the question; `v` shows all. */
const SHOWN_LINES = 12;
const SHOWN_CHARACTERS = 1_500;

export interface PermissionChoice {
  readonly key: string;
  readonly label: string;
  /** `why`: the person writes what to do instead. */
  readonly answer: PersonsAnswer | 'why';
  /** The rule is written down, and holds in later sessions too. */
  readonly isForGood?: boolean;
}

/** What can be answered: once, for the session, always (with the rule it makes), no, and no with a reason. */
function choicesFor({ suggestion }: Pick<PermissionQuestion, 'suggestion'>): readonly PermissionChoice[] {
  const allowed = { type: 'allow', updates: suggestedUpdates({ suggestion }) } as const;
  const text = oneLine(suggestion.join(','));
  const rules: readonly PermissionChoice[] =
    suggestion.length === 0
      ? []
      : [
          { key: 's', label: `yes, in this session: ${text}`, answer: allowed },
          { key: 'a', label: `yes, always in this project: ${text}`, answer: allowed, isForGood: true },
        ];
  return [
    { key: 'y', label: 'yes, once', answer: { type: 'allow' } },
    ...rules,
    { key: 'n', label: 'no', answer: { type: 'deny', reason: 'The user said no.' } },
    { key: 'w', label: 'no, and say what to do instead', answer: 'why' },
  ];
}

const SHOWN_REASON = 200;
/** How to allow it without a person is of no use to one who is asked. */
const withoutAdvice = (reason: string) => reason.replace(/ To allow it, add .*$/s, '');

interface PermissionPanel {
  readonly question: PermissionQuestion;
  /** What it would do. */
  readonly call: readonly string[];
  readonly paint: Paint;
  /** Questions that wait behind this one. */
  readonly others: () => number;
  /** Null: interrupted. */
  readonly choose: (choice: PermissionChoice | null) => void;
  /** Shows all of the call. */
  readonly view: () => void;
  /** The person is in the middle of a word: its letters must not answer. */
  readonly isBeingTyped: () => boolean;
}

export function permissionPanel(options: PermissionPanel): Panel {
  const { question, call, paint, others, choose, view, isBeingTyped } = options;
  const choices = choicesFor(question);
  const { toolName, reason, agentId } = question;
  const shown = call.slice(0, SHOWN_LINES).map((line) => line.slice(0, SHOWN_CHARACTERS));
  const isCut = shown.join('').length < call.join('').length || shown.length < call.length;
  return {
    isQuestion: true,
    lines: ({ width }) =>
      wrapped(
        [
          paint('bold', `${agentId === undefined ? '' : `Subagent ${agentId}: `}May ${toolName} run?`),
          ...shown.map((line) => `  ${line}`),
          ...(isCut ? [paint('yellow', `  … not all of it is shown (${call.length} lines); v shows all`)] : []),
          paint('dim', oneLine(withoutAdvice(reason), SHOWN_REASON)),
          ...(isBeingTyped()
            ? [paint('dim', '  … you are typing; the answers appear when you pause')]
            : choices.map(({ key, label }) => `  ${paint('cyan', key)}  ${label}`)),
          paint('dim', `esc interrupts the turn${others() > 0 ? ` · ${others()} more questions wait` : ''}`),
        ],
        width,
      ),
    key: (data) => {
      if (isKey(data, 'escape', 'ctrl+c')) choose(null);
      else if (isBeingTyped()) return false;
      else if (isKey(data, 'v')) view();
      else {
        // a paste arrives as one piece, longer than a key: it answers nothing
        const choice = data.length === 1 ? choices.find(({ key }) => key === data.toLowerCase()) : undefined;
        if (choice !== undefined) choose(choice);
      }
      return true;
    },
  };
}
