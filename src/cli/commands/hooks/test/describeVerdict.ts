import type { EventRow } from '../../../../hooks/events/eventRow.ts';
import type { HookOutcome } from '../../../../hooks/outcome.ts';
import type { HookPermission, HookVerdict } from '../../../../hooks/types.ts';
import type { HookEnd } from '../../../../hooks/verdict.ts';
import { EVENT_WORDS } from '../eventTexts.ts';

/** One effect of a verdict, and the texts that it passes on. */
export interface Consequence {
  readonly sentence: string;
  readonly quotes: readonly string[];
}

const PERMISSION: { readonly [Decision in HookPermission['decision']]: string } = {
  allow: 'A hook allows the call without a permission rule; deny rules still apply',
  deny: 'A hook denies the call',
  ask: 'A hook asks the user; a headless session cannot, so the call would be denied',
  defer: 'A hook defers the call: the turn would end with the call left open',
};

/** What would happen after these hooks: the outcome first, then everything else. */
export function describeVerdict(
  verdict: HookVerdict,
  row: EventRow,
  ends: readonly HookEnd[] = [],
): readonly Consequence[] {
  const of = (type: HookOutcome['type']) => ends.filter((end) => end.outcome.type === type).length;
  if (of('cancelled') > 0) return [{ sentence: 'No verdict: the hooks were interrupted.', quotes: [] }];
  const failed = of('failed');
  const silent = { sentence: `${failed === 1 ? '1 hook' : `${failed} hooks`} gave no verdict.`, quotes: [] };
  return [outcome(verdict, row), ...besides(verdict, row), ...(failed > 0 ? [silent] : [])];
}

function outcome({ prevented, blocks, contexts, permission }: HookVerdict, row: EventRow): Consequence {
  const words = EVENT_WORDS[row.name];
  const { prevented: ended = 'the turn would end', blocked = '', reader = 'the model' } = words;
  if (prevented !== null) return { sentence: `${capital(ended)}:`, quotes: [prevented] };
  const shown = reader === null ? 'the reason is not shown' : `${reader} would see`;
  const sentence = `${capital(blocked)}; ${shown}:`;
  if (blocks.length > 0) return { sentence, quotes: blocks };
  if (words.continuesWithContext && contexts.length > 0) return { sentence, quotes: contexts };
  if (permission === null) return { sentence: `No hook objects: ${words.free}.`, quotes: [] };
  const { decision, reason } = permission;
  return { sentence: `${PERMISSION[decision]}${reason ? ':' : '.'}`, quotes: reason ? [reason] : [] };
}

function besides(verdict: HookVerdict, row: EventRow): readonly Consequence[] {
  const { contexts, updatedInput, updatedToolOutput, specific, prevented, blocks } = verdict;
  const alreadyShown = EVENT_WORDS[row.name].continuesWithContext && prevented === null && blocks.length === 0;
  const reader = EVENT_WORDS[row.name].reader === 'the subagent' ? 'the subagent' : 'the model';
  const values = [
    ['The tool would get this input', updatedInput],
    ['The model would get this result instead', updatedToolOutput],
    ...Object.entries(specific),
  ].filter(([, value]) => value !== undefined);
  return [
    ...(contexts.length === 0 || alreadyShown ? [] : [{ sentence: `Context for ${reader}:`, quotes: contexts }]),
    ...values.map(([name, value]) => ({ sentence: `${name}:`, quotes: [json(value)] })),
  ];
}

const json = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value, null, 2));
const capital = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
