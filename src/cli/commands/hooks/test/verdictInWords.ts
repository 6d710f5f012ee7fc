import type { EventRow } from '../../../../hooks/events/eventRow.ts';
import type { HookOutcome } from '../../../../hooks/outcome.ts';
import type { HookPermission, HookVerdict } from '../../../../hooks/types.ts';
import type { HookEnd } from '../../../../hooks/verdict.ts';
import { EVENT_WORDS } from '../eventWords.ts';

/** Something that follows from a verdict, and the words it passes on. */
export interface Consequence {
  readonly sentence: string;
  readonly quotes: readonly string[];
}

const PERMISSION: { readonly [Decision in HookPermission['decision']]: string } = {
  allow: 'A hook allows it: no permission rule has to, though a deny rule still holds',
  deny: 'A hook denies it',
  ask: 'A hook wants a person to be asked; headless, nobody is, so it would be denied',
  defer: 'A hook puts it off: the turn would end with the call left open',
};

/** What would happen now that hooks have spoken: the outcome first, then what goes with it. */
export function verdictInWords(
  verdict: HookVerdict,
  row: EventRow,
  ends: readonly HookEnd[] = [],
): readonly Consequence[] {
  const of = (type: HookOutcome['type']) => ends.filter((end) => end.outcome.type === type).length;
  if (of('cancelled') > 0) return [{ sentence: 'There is no verdict: the hooks were interrupted.', quotes: [] }];
  const failed = of('failed');
  const silent = { sentence: `${failed === 1 ? '1 hook' : `${failed} hooks`} gave no verdict.`, quotes: [] };
  return [outcome(verdict, row), ...besides(verdict, row), ...(failed > 0 ? [silent] : [])];
}

function outcome({ prevented, blocks, contexts, permission }: HookVerdict, row: EventRow): Consequence {
  const words = EVENT_WORDS[row.name];
  if (prevented !== null)
    return { sentence: `${capital(words.prevented ?? 'the turn would end')}:`, quotes: [prevented] };
  const told =
    words.told === undefined ? 'nobody is told' : `${words.told} ${words.told === 'you' ? 'are' : 'is'} told`;
  if (blocks.length > 0) return { sentence: `${capital(words.blocked ?? '')}; ${told}:`, quotes: blocks };
  if (words.goesOnWithContext && contexts.length > 0) {
    return { sentence: `${capital(words.blocked ?? '')}; ${told}:`, quotes: contexts };
  }
  if (permission === null) return { sentence: `Nobody objects: ${words.free}.`, quotes: [] };
  const { decision, reason } = permission;
  return { sentence: `${PERMISSION[decision]}${reason ? ':' : '.'}`, quotes: reason ? [reason] : [] };
}

function besides(verdict: HookVerdict, row: EventRow): readonly Consequence[] {
  const { contexts, updatedInput, updatedToolOutput, specific, prevented, blocks } = verdict;
  const alreadyTold = EVENT_WORDS[row.name].goesOnWithContext && prevented === null && blocks.length === 0;
  const reader = EVENT_WORDS[row.name].told === 'the subagent' ? 'the subagent' : 'the model';
  return [
    ...(contexts.length === 0 || alreadyTold ? [] : [{ sentence: `Context for ${reader}:`, quotes: contexts }]),
    ...(updatedInput === undefined
      ? []
      : [{ sentence: 'The tool would get this input:', quotes: [json(updatedInput)] }]),
    ...(updatedToolOutput === undefined
      ? []
      : [{ sentence: 'The model would get this result instead:', quotes: [json(updatedToolOutput)] }]),
    ...Object.entries(specific).map(([field, value]) => ({ sentence: `${field}:`, quotes: [json(value)] })),
  ];
}

const json = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value, null, 2));
const capital = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
