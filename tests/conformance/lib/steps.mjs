// Short forms for scenarios about tool calls: what the model asks for, what a hook answers, which hook is on which event.

/** One step of a script: the model calls Bash with each command, side by side in one answer. */
export const bash = (...commands) => ({
  text: `run ${commands.join(' and ')}`,
  tools: commands.map((command) => ({ name: 'Bash', input: { command, description: 'x' } })),
});

/** A hook's reply with `hookSpecificOutput` for one event, and further top-level fields. */
export const answer = (event, fields, more = {}) => ({
  out: { ...more, hookSpecificOutput: { hookEventName: event, ...fields } },
});

export const preAnswer = (decision, reason, more) =>
  answer('PreToolUse', { permissionDecision: decision, permissionDecisionReason: reason, ...more });

/** Settings with one command hook for each event: `{ PreToolUse: 'pre' }`, or several: `{ PreToolUse: ['a', 'b'] }`. */
export const hooksOn =
  (events) =>
  ({ hook }) => ({
    hooks: Object.fromEntries(
      Object.entries(events).map(([event, names]) => [
        event,
        [{ hooks: [].concat(names).map((name) => ({ type: 'command', command: hook(name) })) }],
      ]),
    ),
  });

/** The project folder, as the first request names it. */
export const projectIn = (body) => /[^"\s]*oracle-\w+\/proj/.exec(JSON.stringify(body))?.[0];
