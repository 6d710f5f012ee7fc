import { suggestedUpdates } from '../../../permissions/suggestedUpdates.ts';
import type { PermissionQuestion, PersonsAnswer } from '../../../query/person.ts';
import type { Paint } from '../../output/colors.ts';
import { isKey } from '../../output/screen/keys.ts';
import { type Panel, wrapped } from '../../output/screen/panels/panel.ts';
import { oneLine } from '../../output/visibleText.ts';

/** Lines of the call that are shown with the question; `v` shows all. */
const SHOWN_LINES = 12;
const SHOWN_CHARACTERS = 1_500;
/** Rows that the call gets, if need be at the cost of its reason. */
const LEAST_ROWS = 4;

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

/** As much of the call as fits: a row too many would push the first one off the screen. */
function shownCall(
  call: readonly string[],
  { width, room, note }: { readonly width: number; readonly room: number; readonly note: string },
): readonly string[] {
  const begun = call.slice(0, SHOWN_LINES).map((line) => line.slice(0, SHOWN_CHARACTERS));
  const isBegun = begun.length < call.length || begun.some((line, at) => line !== call[at]);
  // no row of it begins where ours do
  const rows = wrapped(begun, width - 2).map((row) => `  ${row}`);
  if (!isBegun && rows.length <= room) return rows;
  const last = wrapped([note], width);
  return [...rows.slice(0, Math.max(0, room - last.length)), ...last];
}

export function permissionPanel(options: PermissionPanel): Panel {
  const { question, call, paint, others, choose, view, isBeingTyped } = options;
  const choices = choicesFor(question);
  const { toolName, reason, agentId } = question;
  const title = oneLine(`${agentId === undefined ? '' : `Subagent ${agentId}: `}May ${toolName} run?`, SHOWN_REASON);
  const note = `  … not all of it is shown (${call.length} lines); v shows all`;
  const answers = (labelWidth?: number) => [
    ...(isBeingTyped()
      ? [paint('dim', '  … you are typing; the answers appear when you pause')]
      : choices.map(({ key, label }) => `  ${paint('cyan', key)}  ${oneLine(label, labelWidth)}`)),
    paint('dim', `esc interrupts the turn${others() > 0 ? ` · ${others()} more questions wait` : ''}`),
  ];
  return {
    isQuestion: true,
    lines: ({ width, height }) => {
      const head = wrapped([paint('bold', title)], width);
      const why = paint('dim', oneLine(withoutAdvice(reason), SHOWN_REASON));
      const wide = wrapped([why, ...answers()], width);
      // on a low screen the call is worth more than its reason and the end of a long rule, which v shows
      const foot = head.length + wide.length + LEAST_ROWS <= height ? wide : wrapped(answers(width - 5), width);
      const room = height - head.length - foot.length;
      return [...head, ...shownCall(call, { width, room, note: paint('yellow', note) }), ...foot];
    },
    key: (data) => {
      if (isKey(data, 'escape', 'ctrl+c')) choose(null);
      else if (isBeingTyped()) return false;
      else if (isKey(data, 'v', 'shift+v')) view();
      else {
        // a paste arrives as one piece, longer than a key: it answers nothing
        const choice = data.length === 1 ? choices.find(({ key }) => key === data.toLowerCase()) : undefined;
        if (choice !== undefined) choose(choice);
      }
      return true;
    },
  };
}
