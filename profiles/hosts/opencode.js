import { createGate } from './gate.js';

/*
 * opencode has no event for a stop. Its loop ends when the last message is an answer, and goes on when a person's message
 * follows it. So a message without content follows each answer; the request that would carry it is the stop: its preparation
 * is waited for, and either the message gets the feedback, or the run is ended there. Answers of some providers are complete
 * before it is known whether a tool call follows; then the message stays empty, which no model sees.
 */

const PLACE_TEXT = 'Stopgate decides here whether the agent may stop.';
const ENDING_MS = 10_000;
/** Retries of one request before the launch or the worker is told. */
const MOST_RETRIES = 3;
const LONGEST_PAUSE_MS = 60_000;
const GOES_ON = new Set(['tool-calls', 'unknown']);

const isToolPart = ({ type, metadata }) => type === 'tool' && !metadata?.providerExecuted;

/** A plugin must not fail into opencode: a run would end with exit code 1. */
const safely =
  (handler) =>
  async (...args) => {
    try {
      await handler(...args);
    } catch (error) {
      if (!process.stdout.isTTY) process.stderr.write(`stopgate: ${error?.message ?? error}\n`);
    }
  };

/** Sessions that a person or a script began; the others belong to subagents. */
function sessionList(client) {
  const parents = new Map();
  return {
    saw: ({ id, parentID }) => parents.set(id, parentID ?? null),
    async isChild(id) {
      if (!parents.has(id)) this.saw((await client.session.get({ path: { id } })).data ?? { id });
      return parents.get(id) !== null;
    },
  };
}

/** The messages that hold the place of feedback. */
function placeList(client) {
  const places = new Map();
  /** Answers that have or had one. */
  const answered = new Set();
  const feedback = new Map();
  const url = ({ session, id }) => `/session/${session}/message/${id}`;
  return {
    of: (messages) => messages.findLast(({ info }) => places.has(info.id)) ?? null,
    hadFor: (answer) => answered.has(answer),
    async add(session, { id: answer, agent, mode, providerID, modelID, variant }, text) {
      answered.add(answer);
      const body = {
        noReply: true,
        agent: agent ?? mode,
        model: { providerID, modelID },
        ...(variant && { variant }),
        parts: [{ type: 'text', text: PLACE_TEXT, synthetic: true, ignored: true }],
      };
      const { data } = await client.session.prompt({ path: { id: session }, body });
      if (data?.info) places.set(data.info.id, { session, id: data.info.id, answer, text });
    },
    take(id) {
      const place = places.get(id);
      places.delete(id);
      return place;
    },
    /** Best effort: what stays is empty. */
    async remove(place) {
      const { data = [] } = await client.session.messages({ path: { id: place.session } });
      const own = data.filter(({ info }) => info.parentID === place.id && info.error !== undefined);
      for (const { info } of own) await client._client.delete({ url: url({ ...place, id: info.id }) });
      await client._client.delete({ url: url(place) });
    },
    async fill({ info, parts }, reason) {
      feedback.set(info.id, reason);
      this.show([{ info, parts }]);
      const [part] = parts;
      const change = { url: `${url({ session: info.sessionID, id: info.id })}/part/${part.id}`, body: part };
      await client._client.patch({ ...change, headers: { 'Content-Type': 'application/json' } });
    },
    /** Also where it could not be stored. */
    show(messages) {
      for (const { info, parts } of messages)
        if (feedback.has(info.id))
          Object.assign(parts[0], { text: feedback.get(info.id), synthetic: false, ignored: false });
    },
    left: (session) => [...places.values()].filter((place) => place.session === session),
  };
}

/** Whether the run would end here: nothing but the place follows an answer without tool calls. */
function isStop(messages, place, { answer }) {
  const { info, parts } = messages.findLast((one) => one.info.role === 'assistant') ?? {};
  return (
    messages.at(-1) === place &&
    info?.id === answer &&
    Boolean(info.finish) &&
    !GOES_ON.has(info.finish) &&
    !info.error &&
    !parts.some(isToolPart)
  );
}

/** Decides stops at the requests that would carry a place. */
function stopKeeper(client, gate, places) {
  /** How often a session became idle, and who waits for it. */
  const idled = new Map();
  const waiting = new Map();
  const remove = (place) => void safely(() => places.remove(place))();
  const accept = async (place) => {
    const ended = new Promise((resolve) => waiting.set(place.session, resolve));
    await client.session.abort({ path: { id: place.session } });
    remove(place);
    // the run is interrupted while this waits
    await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, ENDING_MS).unref?.())]);
  };
  return {
    async decide(messages) {
      const found = places.of(messages);
      if (found === null) return;
      const place = places.take(found.info.id);
      if (!isStop(messages, found, place)) return remove(place);
      const before = idled.get(place.session);
      const facts = { answer: place.text, isPlanning: found.info.agent === 'plan' };
      const reason = await gate.stop(place.session, facts);
      // a person ended the run meanwhile
      if (idled.get(place.session) !== before) return remove(place);
      if (reason === null) await accept(place);
      else await places.fill(found, reason);
    },
    onIdle(session) {
      idled.set(session, (idled.get(session) ?? 0) + 1);
      gate.end(session);
      waiting.get(session)?.();
      waiting.delete(session);
      for (const { id } of places.left(session)) remove(places.take(id));
    },
  };
}

function onRetry(gate, { attempt, message, next }) {
  const isLong = next - Date.now() > LONGEST_PAUSE_MS;
  // it would go on for hours without a word
  if ((isLong || attempt >= MOST_RETRIES) && gate.failed(String(message))) process.exit(1);
}

/** By the type of an event; none is waited for. */
function eventTable({ gate, sessions, places, stops }) {
  const answers = new Map();
  return {
    'session.created': ({ info }) => sessions.saw(info),
    'session.idle': ({ sessionID }) => stops.onIdle(sessionID),
    'session.status': ({ status }) => status.type === 'retry' && onRetry(gate, status),
    'message.updated': ({ info }) => info.role === 'assistant' && answers.set(info.sessionID, info),
    'message.part.updated': async ({ part }) => {
      if (part.type === 'tool' && part.state.status === 'error') gate.failedCall();
      const info = answers.get(part.sessionID);
      // an answer without text
      if (part.type !== 'step-finish' || part.reason !== 'stop' || info?.id !== part.messageID) return;
      if (info.summary || places.hadFor(info.id) || !gate.holdsStops()) return;
      if (!(await sessions.isChild(part.sessionID))) await places.add(part.sessionID, info, '');
    },
  };
}

export const opencodePlugin =
  (hooks, file) =>
  async ({ client, directory }) => {
    const gate = createGate({ host: 'opencode', hooks, folder: directory, file });
    const sessions = sessionList(client);
    const places = placeList(client);
    const stops = stopKeeper(client, gate, places);
    const events = eventTable({ gate, sessions, places, stops });
    return {
      event: safely(({ event }) => events[event.type]?.(event.properties)),
      'chat.message': safely(async ({ sessionID }, { parts }) => {
        if (parts[0]?.text === PLACE_TEXT || (await sessions.isChild(sessionID))) return;
        const { data = [] } = await client.session.messages({ path: { id: sessionID } });
        const isResumed = data.some(({ info }) => info.role === 'assistant');
        const text = await gate.begin(sessionID, isResumed ? 'resume' : 'startup');
        const first = parts.find(({ type }) => type === 'text');
        if (text !== null && first) first.text += `\n\n${text}`;
      }),
      'tool.execute.before': async ({ tool, sessionID }, { args }) => {
        let reason = null;
        await safely(async () => {
          reason = await gate.before(sessionID, tool, args);
        })();
        // this is how it refuses a call
        if (reason !== null) throw new Error(reason);
      },
      'tool.execute.after': safely(async ({ tool, sessionID, args }, result) => {
        const text = await gate.after(sessionID, tool, args);
        if (text !== null && typeof result.output === 'string') result.output += `\n\n${text}`;
      }),
      'experimental.text.complete': safely(async ({ sessionID, messageID }, { text }) => {
        if (!gate.holdsStops() || places.hadFor(messageID) || (await sessions.isChild(sessionID))) return;
        const { data } = await client.session.message({ path: { id: sessionID, messageID } });
        if (!data || data.info.summary || data.parts.some(isToolPart)) return;
        await places.add(sessionID, data.info, text);
      }),
      'experimental.chat.messages.transform': safely(async (_input, { messages }) => {
        places.show(messages);
        await stops.decide(messages);
      }),
    };
  };
