import type { ShellWord } from './shellTypes.ts';

/** What a command makes other commands of. */
export interface Unwrapped {
  /** Commands that stand in its own words; more than one when its options can be read in two ways. */
  readonly inner: readonly (readonly ShellWord[])[];
  /** Texts that it will read as shell commands. */
  readonly scripts: readonly string[];
  /** Texts that it hands to other programs by way of variables: `GIT_EDITOR='rm x' git commit`. */
  readonly variableScripts?: readonly string[];
  /** A rule for its one inner command covers it too. */
  readonly transparent: boolean;
  /** It runs others only because of an option, which a rule with a wildcard for it does not cover. */
  readonly beyond?: boolean;
  /** What it runs on another machine or in a container. */
  readonly elsewhere?: Pick<Unwrapped, 'inner' | 'scripts'>;
  /** Programs of another language in its words. */
  readonly code?: readonly string[];
  /** Why what it runs cannot be told. */
  readonly unclear?: string;
  /** Why it may run anything at all. */
  readonly hidden?: string;
}

export const PLAIN: Unwrapped = { inner: [], scripts: [], transparent: false };

export function scriptOf(words: readonly ShellWord[], by: string): Unwrapped {
  const script = words.map(({ text }) => text).join(' ');
  const unknown = words.some(({ expands, globs }) => expands || globs);
  return { ...PLAIN, scripts: [script], ...(unknown ? hidden(`${by} runs text that is only known later`) : {}) };
}

export function hides(reason: string): Unwrapped {
  return { ...PLAIN, ...hidden(reason) };
}

export function hidden(reason: string): Pick<Unwrapped, 'unclear' | 'hidden'> {
  return { unclear: reason, hidden: reason };
}
