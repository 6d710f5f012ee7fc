import type { DreamAnswer } from '../../schemas/memory.ts';
import { safeName } from '../memory/judgeProposal.ts';
import type { Memory } from '../memory/memoryFile.ts';
import { looksSecret } from '../memory/secretShapes.ts';

/** What a dream will change in the folder; all else stays. */
export interface DreamPlan {
  readonly write: readonly Memory[];
  /** Names of facts that were merged into another or are stale. */
  readonly remove: readonly string[];
}

export type PlannedDream =
  | { readonly type: 'plan'; readonly plan: DreamPlan }
  | { readonly type: 'refused'; readonly reason: string };

/** A dream that would drop more than this share is refused. */
const MAX_DROPPED_SHARE = 0.5;
/** The share of key words that a merged fact must keep; otherwise merging loses facts. */
const MIN_KEPT_WORDS = 0.5;
const MAX_CONTENT = 8_000;

/** Turns a model's answer into a plan, or refuses it as a whole: half a consolidation is worse than none. */
export function planDream(answer: DreamAnswer, memories: readonly Memory[], now: number): PlannedDream {
  const byName = new Map(memories.map((memory) => [memory.name, memory]));
  const dropped = answer.drop.map(({ name }) => name);
  const unknown = [...dropped, ...answer.write.flatMap(({ merged_from }) => merged_from)].find((n) => !byName.has(n));
  if (unknown !== undefined) return refused(`it names ${unknown}, which is not there`);
  if (dropped.length > memories.length * MAX_DROPPED_SHARE) {
    return refused(`it would drop ${dropped.length} of ${memories.length} facts`);
  }
  const write: Memory[] = [];
  const gone = new Set(dropped);
  for (const merged of answer.write) {
    const sources = merged.merged_from.flatMap((name) => byName.get(name) ?? []);
    const memory = mergedMemory(merged, sources, now);
    if (typeof memory === 'string') return refused(memory);
    if (byName.has(memory.name) && !merged.merged_from.includes(memory.name)) {
      return refused(`${memory.name} would replace a fact that it was not made from`);
    }
    write.push(memory);
    for (const name of merged.merged_from) gone.add(name);
  }
  for (const { name } of write) gone.delete(name);
  if (new Set(write.map(({ name }) => name)).size < write.length) return refused('it writes one name twice');
  return { type: 'plan', plan: { write, remove: [...gone] } };
}

const refused = (reason: string): PlannedDream => ({ type: 'refused', reason });

/** The merged fact, or why it is refused. Its evidence is the weakest of its sources. */
function mergedMemory(merged: DreamAnswer['write'][number], sources: readonly Memory[], now: number): Memory | string {
  const name = safeName(merged.name);
  const [first] = sources;
  if (!name || !first) return `'${merged.name}' was made from nothing`;
  const content = merged.content.trim();
  if (content === '' || content.length > MAX_CONTENT) return `${name} is empty or too long`;
  if (looksSecret(content)) return `${name} looks like a secret`;
  if (keptWords(content, sources) < MIN_KEPT_WORDS) return `${name} loses most of what it was made from`;
  const newest = sources.reduce((a, b) => (a.created > b.created ? a : b));
  return {
    name,
    description: merged.description.replace(/\s+/g, ' ').trim().slice(0, 200) || first.description,
    type: merged.type,
    created: sources.map(({ created }) => created).toSorted()[0] ?? first.created,
    updated: new Date(now).toISOString(),
    session: newest.session,
    evidence: sources.every(({ evidence }) => evidence === 'user') ? 'user' : 'tool',
    quote: newest.quote,
    content,
  };
}

/** The share of key words (long ones, and numbers) that merging kept. */
function keptWords(content: string, sources: readonly Memory[]): number {
  const wanted = new Set(sources.flatMap((source) => keyWords(source.content)));
  if (wanted.size === 0) return 1;
  const has = new Set(keyWords(content));
  return [...wanted].filter((word) => has.has(word)).length / wanted.size;
}

function keyWords(text: string): string[] {
  return (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).filter((word) => word.length >= 5 || /\d/.test(word));
}
