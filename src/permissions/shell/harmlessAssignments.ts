import type { ShellAssignment } from './shellTypes.ts';

/** Variables that programs read and that cannot make them run or load anything, with the values they may have. */
const KNOWN: readonly (readonly [names: RegExp, value: RegExp])[] = [
  [/^(?:NO_COLOR|FORCE_COLOR|CLICOLOR|CLICOLOR_FORCE|COLORTERM|COLUMNS|LINES|CI)$/, /^\w*$/],
  [/^(?:NODE_ENV|RUST_BACKTRACE|VERBOSE|PYTHONUNBUFFERED|PYTHONDONTWRITEBYTECODE|GOOS|GOARCH|TERM)$/, /^[\w-]*$/],
  [/^(?:RUST_LOG|DEBUG)$/, /^[\w.,:*=-]*$/],
  // not `:/file` and not `/file`
  [/^TZ$/, /^[A-Za-z][\w+/-]*$/],
];

/** A locale with another encoding changes where bash sees a quote or an escape in the lines that follow. */
const LOCALE_NAME = /^(?:LANG|LANGUAGE|LC_[A-Z]+)$/;
const LOCALE = /^(?:|C|POSIX|(?:C|[a-z]{2}(?:_[A-Z]{2})?)\.(?:UTF-8|utf8))$/;

/** Shell variables of a script's own; `npm_config_…` and `…_proxy` are lower-case ones that programs read. */
const OWN_NAME = /^(?!npm_)(?!.*_proxy$)(?!(?:path|fpath|cdpath|ifs)$)[a-z][a-z0-9_]*$/;

/** Before a command, `NAME=value cmd`: a variable that cannot make the command do something else. */
export function isHarmlessPrefix(assignment: ShellAssignment): boolean {
  const { name, value } = assignment;
  if (LOCALE_NAME.test(name)) return !value.expands && LOCALE.test(value.text);
  return isHarmlessAlone(assignment);
}

/** On its own, `name=value`, for all that follows in the line. */
export function isHarmlessAlone({ name, value }: ShellAssignment): boolean {
  if (OWN_NAME.test(name)) return true;
  return !value.expands && KNOWN.some(([names, values]) => names.test(name) && values.test(value.text));
}
