import { createGate } from './gate.js';

/** An extension of pi. Since 0.87 it asks before an agent run settles; before that a turn's end is the last chance. */
export const piExtension = (hooks, file) => (pi) => {
  const gates = new Map();
  const gateOf = ({ cwd }) => {
    // its shell counts in seconds
    if (!gates.has(cwd)) gates.set(cwd, createGate({ host: 'pi', hooks, folder: cwd, file, millisecondsOf: 1000 }));
    return gates.get(cwd);
  };
  const sessionOf = ({ sessionManager }) => sessionManager.getSessionId();
  let last = null;
  const factsNow = () => ({ answer: textOf(last) });

  pi.on('message_end', ({ message }) => {
    if (message?.role === 'assistant') last = message;
  });
  pi.on('before_agent_start', async (_event, ctx) => {
    const isNew = !ctx.sessionManager
      .getEntries()
      .some(({ type, message }) => type === 'message' && message?.role === 'assistant');
    const text = await gateOf(ctx).begin(sessionOf(ctx), isNew ? 'startup' : 'resume');
    if (text !== null) return { message: { customType: 'stopgate', content: text, display: true } };
  });
  pi.on('tool_call', async ({ toolName, input }, ctx) => {
    const reason = await gateOf(ctx).before(sessionOf(ctx), toolName, input);
    if (reason !== null) return { block: true, reason };
  });
  pi.on('tool_result', async ({ toolName, input, content, structuredContent }, ctx) => {
    const text = await gateOf(ctx).after(sessionOf(ctx), toolName, input);
    if (text === null) return;
    return { content: [...content, { type: 'text', text }], ...(structuredContent && { structuredContent }) };
  });
  pi.on('agent_before_settle', async (event, ctx) => {
    const gate = gateOf(ctx);
    // an error would be met again; another extension may go on by itself
    if (event.outcome !== 'completed' || event.continue || !gate.holdsStops()) return;
    const stopChild = () => gate.end(sessionOf(ctx));
    ctx.signal?.addEventListener('abort', stopChild, { once: true });
    const reason = await gate.stop(sessionOf(ctx), factsNow());
    ctx.signal?.removeEventListener('abort', stopChild);
    if (reason === null || ctx.signal?.aborted) return;
    const feedback = { type: 'custom_message', customType: 'stopgate', content: reason, display: true };
    return { entries: [...event.entries, feedback], continue: true };
  });
  pi.on('turn_end', (event, ctx) => {
    const { message, toolResults = [], entries } = event;
    const gate = gateOf(ctx);
    // where entries can be added, the event above follows; this one would not be waited for
    if (entries !== undefined || toolResults.length > 0 || message?.stopReason !== 'stop' || !gate.holdsStops()) return;
    const reason = gate.stopNow(sessionOf(ctx), factsNow());
    if (reason !== null) pi.sendUserMessage(reason, { deliverAs: 'followUp' });
  });
  pi.on('session_shutdown', (_event, ctx) => {
    const gate = gateOf(ctx);
    gate.end();
    const { stopReason, errorMessage } = last ?? {};
    // with JSON lines pi exits with 0 after an error of the provider
    if (stopReason === 'error' && gate.failed(errorMessage ?? 'no reason given'))
      process.on('exit', () => {
        process.exitCode = 1;
      });
  });
};

const textOf = (message) =>
  (message?.content ?? [])
    .filter(({ type }) => type === 'text')
    .map(({ text }) => text)
    .join('\n');
