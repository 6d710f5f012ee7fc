/** Something in a settings file that a person should look at. */
export interface HookProblem {
  readonly file: string;
  /** `hooks.Stop[0].hooks[1].timeout`. */
  readonly path: string;
  readonly line?: number;
  readonly message: string;
  /** The known name that was probably meant. */
  readonly nearest?: string;
  /** `disabled`: the entry does not run. `noted`: it runs, or would, and something in it has no effect. */
  readonly effect: 'disabled' | 'noted';
}

/** One sentence: where, what, what to do. */
export function problemText({ file, path, line, message, nearest, effect }: HookProblem): string {
  const place = line === undefined ? file : `${file}:${line}`;
  const hint = nearest === undefined ? '' : `; did you mean "${nearest}"?`;
  return `${place}: ${path}: ${message}${hint}${effect === 'disabled' ? ' (this entry does not run)' : ''}`;
}
