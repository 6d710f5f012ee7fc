import type { ProposedMemory } from '../../schemas/memory.ts';
import { oneLine } from '../../system/sentence.ts';
import type { Evidence } from './evidence.ts';
import { contentDigest, type Memory } from './memoryFile.ts';
import { looksSecret } from './secretShapes.ts';

export type Judgement =
  | { readonly type: 'write'; readonly memory: Memory }
  | { readonly type: 'refused'; readonly reason: string };

export interface ProposalFacts {
  readonly evidence: readonly Evidence[];
  readonly known: readonly Memory[];
  readonly sessionId: string;
  readonly now: number;
}

export const MAX_MEMORIES = 200;
const MAX_NAME = 60;
const MAX_DESCRIPTION = 200;
const MAX_CONTENT = 4_000;
const MAX_QUOTE = 300;
/** Shorter quotes are found anywhere. */
const MIN_QUOTE = 8;

const refused = (reason: string): Judgement => ({ type: 'refused', reason });

/**
 * Whether a proposed fact is kept. Its quote must really come from the user or a tool, and a tool's output never becomes a
 * preference of the user.
 */
export function judgeProposal(proposal: ProposedMemory, facts: ProposalFacts): Judgement {
  const name = safeName(proposal.name);
  if (!name) return refused(`'${oneLine(proposal.name, 40)}' leaves no usable file name`);
  const content = proposal.content.trim();
  const description = oneLine(proposal.description, MAX_DESCRIPTION);
  if (content === '' || description === '') return refused(`${name} is empty`);
  if (content.length > MAX_CONTENT) return refused(`${name} is longer than ${MAX_CONTENT} characters`);
  if (looksSecret(`${description}\n${content}\n${proposal.evidence}`)) return refused(`${name} looks like a secret`);
  const source = sourceOf(proposal.evidence, facts.evidence);
  if (!source) return refused(`${name} quotes words that are not in the conversation`);
  if (source === 'tool' && (proposal.type === 'user' || proposal.type === 'feedback')) {
    return refused(`${name} is about the user but is based on a tool's output`);
  }
  const before = facts.known.find((memory) => memory.name === name);
  const twin = facts.known.find((memory) => contentDigest(memory.content) === contentDigest(content));
  if (twin) return refused(`${name} is known already (${twin.name})`);
  if (!before && facts.known.length >= MAX_MEMORIES) return refused(`memory is full (${MAX_MEMORIES} facts)`);
  const at = new Date(facts.now).toISOString();
  return {
    type: 'write',
    memory: {
      name,
      description,
      type: proposal.type,
      created: before?.created ?? at,
      ...(before ? { updated: at } : {}),
      session: facts.sessionId,
      evidence: source,
      quote: oneLine(proposal.evidence, MAX_QUOTE),
      content,
    },
  };
}

/** The source of the quoted words; the user's count before a tool's. */
function sourceOf(quote: string, evidence: readonly Evidence[]): Evidence['source'] | undefined {
  const wanted = plain(quote);
  if (wanted.length < MIN_QUOTE) return undefined;
  const holders = evidence.filter(({ text }) => plain(text).includes(wanted));
  return holders.find(({ source }) => source === 'user')?.source ?? holders[0]?.source;
}

const plain = (text: string) =>
  text.toLowerCase().replace(/\s+/g, ' ').replace(/[“”„]/g, '"').replace(/[‘’]/g, "'").trim();

/** Lower-case words with dashes, so that the file cannot leave the folder, be hidden, or be the index. */
export function safeName(name: string): string | undefined {
  const safe = name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\.md$/, '')
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, MAX_NAME)
    .replace(/^-+|-+$/g, '');
  return safe === '' || safe === 'memory' ? undefined : safe;
}
