// A model that makes one call after the other, and hooks that show what became of each.
import fs from 'node:fs';
import path from 'node:path';

/** The project's folder, as any request names it. */
export const project = (b) => /[^"\s]*oracle-\w+\/proj/.exec(JSON.stringify(b))?.[0];

/**
 * A scenario's `model`: the n-th request gets the n-th of `list` (a call, several at once, or a function of the project's
 * folder that returns them), then the answer `finished`.
 */
export const calls =
  (...list) =>
  (b, { main, n }) => {
    if (!main) return { text: 'ok' };
    if (n >= list.length) return { text: 'finished' };
    const made = typeof list[n] === 'function' ? list[n](project(b)) : list[n];
    return { text: `step ${n}`, tools: [].concat(made) };
  };

export const bash = (command, more = {}) => ({ name: 'Bash', input: { command, description: 'x', ...more } });
export const tool = (name, input) => ({ name, input });
export const write =
  (file, content = 'x\n') =>
  (p) =>
    tool('Write', { file_path: file.replace(/^(?![/~])/, `${p}/`), content });
export const read =
  (file, more = {}) =>
  (p) =>
    tool('Read', { file_path: file.replace(/^(?![/~])/, `${p}/`), ...more });

/** One hook for each event, named after it: PermissionRequest says who was asked, PostToolUse what ran. */
export const watch = (ctx, ...events) =>
  Object.fromEntries(events.map((e) => [e, [{ hooks: [{ type: 'command', command: ctx.hook(e) }] }]]));
/** `watch` for the three events that tell whether a call was asked about, ran, or failed. */
export const fate = (ctx) => watch(ctx, 'PermissionRequest', 'PostToolUse', 'PostToolUseFailure');

/** Trusts the project as a person would, so that its own allow rules and modes count. Returns nothing to merge. */
export function trusted({ root, proj }) {
  fs.writeFileSync(
    path.join(root, 'home/.claude.json'),
    JSON.stringify({ projects: { [proj]: { hasTrustDialogAccepted: true } } }),
  );
}
