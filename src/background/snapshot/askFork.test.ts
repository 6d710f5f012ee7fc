import { describe, expect, it } from 'vitest';
import { SpendLedger } from '../../models/ledger.ts';
import { costOf } from '../../models/prices.ts';
import { resolveModel } from '../../models/providers.ts';
import type { Model } from '../../models/types.ts';
import { mainContext } from '../../query/mainContext.ts';
import { query } from '../../query/query.ts';
import { type CacheSafeParams, onlyCleanups, type TurnFacts } from '../../query/stop/stopWork.ts';
import { makeMessages } from '../../session/makeMessages.ts';
import { systemClock } from '../../system/clock.ts';
import { type ModelServer, startModelServer } from '../../testing/modelServer.ts';
import { tempFolder } from '../../testing/tempFolder.ts';
import { createAsker } from '../governor/askModel.ts';
import { forkFrom } from '../sideQuestion.ts';
import { answerOf, askFork } from './askFork.ts';
import { readSnapshot, snapshotStore } from './snapshotStore.ts';

/** A whole turn with a tool call on the real Anthropic provider; what its stop pipeline was given. */
async function turnOn(server: ModelServer, modelName = 'claude-sonnet-4-5') {
  const resolved = resolveModel(`anthropic/${modelName}`, { ANTHROPIC_API_KEY: 'k', ANTHROPIC_BASE_URL: server.url });
  if (resolved.type !== 'ok') throw new Error(resolved.message);
  const seen: TurnFacts[] = [];
  const running = query({
    messages: [makeMessages().user([{ type: 'text', text: 'Which files are here?' }])],
    systemPrompt: ['You are a test.', 'With two parts.'],
    userContext: { 'Project instructions': 'be brief' },
    systemContext: { 'Git status': 'clean' },
    toolUseContext: mainContext({ model: resolved.model, projectDir: import.meta.dirname, mode: 'bypassPermissions' }),
    deps: { stopWork: { ...onlyCleanups(() => {}), startAfterTurn: (turn) => seen.push(turn) } },
  });
  while (!(await running.next()).done);
  const facts = seen.at(-1);
  if (!facts) throw new Error('the stop pipeline did not run');
  return { facts, model: resolved.model };
}

const asker = () =>
  createAsker({
    clock: systemClock,
    random: Math.random,
    ledger: new SpendLedger(),
    costOf,
    maxRetries: 0,
    maxTokens: 1_000_000,
    maxUsd: 10,
    signal: new AbortController().signal,
  });

const ANSWERS = [
  { thinking: 'look', text: 'I look.', tools: [{ name: 'Bash', input: { command: 'ls' } }] },
  { text: 'Three files.' },
];

async function ask(model: Model, snapshot: CacheSafeParams, turn: TurnFacts) {
  return askFork(asker(), model, {
    base: { ...snapshot, answer: answerOf(turn) },
    question: 'And why?',
    maxOutputTokens: 100,
  });
}

/** The body as sent, without the marks where a cache may end, and its parts. */
function wireParts(raw: string) {
  const plain = raw.replaceAll(/,?"cache_control":\{"type":"ephemeral"\}/g, '');
  const part = (name: string) => {
    const from = plain.indexOf(`"${name}":`);
    return from < 0 ? '' : plain.slice(from, endOf(plain, from + name.length + 3));
  };
  return { system: part('system'), tools: part('tools'), messages: part('messages'), toolChoice: part('tool_choice') };
}

function endOf(text: string, from: number): number {
  let depth = 0;
  let quoted = false;
  for (let at = from; at < text.length; at++) {
    const character = text[at];
    if (quoted && character === '\\') at++;
    else if (character === '"') quoted = !quoted;
    else if (!quoted && (character === '{' || character === '[')) depth++;
    else if (!quoted && (character === '}' || character === ']') && --depth === 0) return at + 1;
  }
  throw new Error('not closed');
}

const marksIn = (raw: string) => {
  const body = JSON.parse(raw) as { messages: { content: { cache_control?: unknown }[] }[] };
  return body.messages.flatMap(({ content }, place) => (content.some((b) => b.cache_control) ? [place] : []));
};

describe('a forked request on the wire', () => {
  it.each(['claude-sonnet-4-5', 'claude-sonnet-5-5'])(
    'begins byte for byte like the main request (%s), with the mark where that one ended',
    async (modelName) => {
      const server = await startModelServer((_body, index) => ANSWERS[index] ?? { text: 'Because.' });
      try {
        const { facts, model } = await turnOn(server, modelName);
        const reply = await ask(model, facts.snapshot, facts);
        expect(reply).toMatchObject({ type: 'ok', text: 'Because.' });
        const [, main, fork] = server.seen.map(({ raw }) => raw);
        const [before, after] = [wireParts(main ?? ''), wireParts(fork ?? '')];
        expect(before.tools).toContain('"Bash"');
        expect(after.tools).toBe(before.tools);
        expect(after.system).toBe(before.system);
        // a cache of the conversation is bound to the choice of tools
        expect(after.toolChoice).toBe(before.toolChoice);
        const prefix = before.messages.slice(0, -1);
        expect(prefix.length).toBeGreaterThan(500);
        expect(after.messages.slice(0, prefix.length)).toBe(prefix);
        expect(after.messages.slice(prefix.length)).toContain('And why?');
        const mainEnd = JSON.parse(main ?? '').messages.length - 1;
        expect(marksIn(main ?? '')).toContain(mainEnd);
        expect(marksIn(fork ?? '')).toEqual([mainEnd, mainEnd + 2]);
      } finally {
        await server.close();
      }
    },
  );

  it('is the same from a file in another process', async () => {
    await using folder = await tempFolder();
    const server = await startModelServer((_body, index) => ANSWERS[index] ?? { text: 'Because.' });
    try {
      const { facts, model } = await turnOn(server);
      await ask(model, facts.snapshot, facts);
      const store = snapshotStore(folder.path, systemClock);
      store.save(facts.snapshot);
      store.answered(facts.snapshot, answerOf(facts));
      expect(await store.written()).toBeUndefined();
      const read = await readSnapshot(folder.path);
      if (read.type !== 'ok') throw new Error(read.type);
      expect(read.snapshot.model).toBe('anthropic/claude-sonnet-4-5');
      await askFork(asker(), model, { base: forkFrom(read.snapshot), question: 'And why?', maxOutputTokens: 100 });
      expect(server.seen.at(-1)?.raw).toBe(server.seen.at(-2)?.raw);
    } finally {
      await server.close();
    }
  });

  it('refuses a call with a text, and asks once more', async () => {
    const server = await startModelServer((_body, index) =>
      index < 3 ? (ANSWERS[index] ?? { tools: [{ name: 'Bash', input: { command: 'rm -rf /' } }] }) : { text: 'Fine.' },
    );
    try {
      const { facts, model } = await turnOn(server);
      expect(await ask(model, facts.snapshot, facts)).toMatchObject({ type: 'ok', text: 'Fine.' });
      expect(server.seen).toHaveLength(4);
      expect(JSON.stringify(server.seen.at(-1)?.body.messages.at(-1))).toContain('there are no tools here');
    } finally {
      await server.close();
    }
  });

  it('does not take the place of the next message of the conversation it was forked from', async () => {
    const server = await startModelServer((_body, index) => ANSWERS[index] ?? { text: 'Because.' });
    try {
      const { facts, model } = await turnOn(server);
      const { messages } = facts.snapshot;
      const { lineage } = messages;
      await ask(model, facts.snapshot, facts);
      expect(messages.append({ role: 'user', content: 'next' }).lineage).toBe(lineage);
    } finally {
      await server.close();
    }
  });
});
