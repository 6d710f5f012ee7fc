import { ownValue } from '../../system/ownValue.ts';

/** How a pattern is read: as bash does by default, or as widely as any of its options can make it. */
export interface PatternReading {
  /** `dotglob`, `nocaseglob` and the like may be set: hidden names match, and upper and lower case are one. */
  readonly wide: boolean;
}

type Fits = (char: string) => boolean;
interface Step {
  readonly type: 'star' | 'char';
  /** A plain character: the only thing that matches a dot at the beginning. */
  readonly literal: boolean;
  readonly fits: Fits;
}

const ANY: Fits = () => true;
const STAR: Step = { type: 'star', literal: false, fits: ANY };

/**
 * Which names a pattern of bash matches: `*`, `?`, brackets with `!` or `^`, ranges and classes; a backslash quotes.
 * Time grows with the product of both lengths, whatever a hostile name or pattern has.
 */
export function bashPattern(pattern: string, { wide }: PatternReading): (name: string) => boolean {
  const exact = stepsOf(pattern);
  if (!wide) return (name) => !(name.startsWith('.') && exact[0]?.literal !== true) && fitsName(exact, name);
  const [lower, upper] = [stepsOf(pattern.toLowerCase()), stepsOf(pattern.toUpperCase())];
  return (name) => fitsName(exact, name) || fitsName(lower, name.toLowerCase()) || fitsName(upper, name.toUpperCase());
}

function fitsName(steps: readonly Step[], name: string): boolean {
  // in some locales one such character is several
  const loose = /[^\x20-\x7e]/.test(name);
  return matches(loose ? steps.map((step) => (step.literal ? step : STAR)) : steps, name);
}

function stepsOf(pattern: string): Step[] {
  const steps: Step[] = [];
  for (let at = 0; at < pattern.length; at++) {
    const char = pattern[at] ?? '';
    const bracket = char === '[' ? readBracket(pattern, at) : undefined;
    if (char === '*') steps.push(STAR);
    else if (char === '?') steps.push({ type: 'char', literal: false, fits: ANY });
    else if (bracket) {
      steps.push({ type: 'char', literal: false, fits: bracket.fits });
      at = bracket.end;
    } else {
      const plain = char === '\\' && at + 1 < pattern.length ? (pattern[++at] ?? '') : char;
      steps.push({ type: 'char', literal: true, fits: (one) => one === plain });
    }
  }
  return steps;
}

/** The usual two marks: where the last star stands, and how much of the name it has taken. */
function matches(steps: readonly Step[], name: string): boolean {
  let [step, at, star, taken] = [0, 0, -1, 0];
  while (at < name.length) {
    const one = steps[step];
    if (one?.type === 'star') {
      star = step++;
      taken = at;
    } else if (one?.fits(name[at] ?? '')) {
      step++;
      at++;
    } else if (star >= 0) {
      step = star + 1;
      at = ++taken;
    } else return false;
  }
  while (steps[step]?.type === 'star') step++;
  return step === steps.length;
}

const CLASSES: Readonly<Record<string, RegExp>> = {
  alnum: /[A-Za-z0-9]/,
  alpha: /[A-Za-z]/,
  ascii: /\p{ASCII}/u,
  blank: /[ \t]/,
  cntrl: /\p{Cc}/u,
  digit: /[0-9]/,
  graph: /[!-~]/,
  lower: /[a-z]/,
  print: /[ -~]/,
  punct: /[!-/:-@[-`{-~]/,
  space: /\s/,
  upper: /[A-Z]/,
  word: /\w/,
  xdigit: /[0-9A-Fa-f]/,
};

/** `[…]` from its opening to its closing bracket, at `end`; undefined when it is not closed, and so a plain character. */
function readBracket(pattern: string, start: number) {
  const negated = /[!^]/.test(pattern[start + 1] ?? '');
  const items: Fits[] = [];
  // `[[=n=]]` and `[[.n.]]` depend on the locale
  let unknown = false;
  for (let at = start + (negated ? 2 : 1), first = at; at < pattern.length; at++) {
    const char = pattern[at] ?? '';
    if (char === ']' && at > first) {
      const fits: Fits = unknown ? ANY : (one) => items.some((item) => item(one)) !== negated;
      return { fits, end: at };
    }
    const named = /^\[([:=.])(.*?)\1\]/s.exec(pattern.slice(at));
    if (named) {
      const known = named[1] === ':' ? ownValue(CLASSES, (named[2] ?? '').toLowerCase()) : undefined;
      if (known) items.push((one) => known.test(one));
      else unknown = true;
      at += named[0].length - 1;
      continue;
    }
    if (char === '\\') at++;
    const from = pattern[at] ?? '';
    if (pattern[at + 1] !== '-' || at + 2 >= pattern.length || pattern[at + 2] === ']') {
      items.push((one) => one === from);
      continue;
    }
    at += pattern[at + 2] === '\\' ? 3 : 2;
    const to = pattern[at] ?? '';
    // `a-[.z.]`, and a range that is turned round
    if (to === '[' || from > to) unknown = true;
    items.push((one) => one >= from && one <= to);
  }
  return undefined;
}
