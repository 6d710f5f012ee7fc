interface TomlFault {
  /** From 0. */
  readonly line: number;
  readonly message: string;
}

const NAME = String.raw`(?:[\w-]+|"(?:[^"\\\n]|\\.)*"|'[^'\n]*')`;
const NAMES = String.raw`${NAME}(?:[ \t]*\.[ \t]*${NAME})*`;
const TABLE = new RegExp(String.raw`\[[ \t]*${NAMES}[ \t]*\]|\[\[[ \t]*${NAMES}[ \t]*\]\]`, 'y');
const KEY = new RegExp(String.raw`${NAMES}[ \t]*=[ \t]*`, 'y');
const BETWEEN = /(?:[ \t\r\n]|#[^\n]*)*/y;
const END = /[ \t]*(?:#[^\n]*)?(?:\r?\n|$)/y;
const TEXTS = [
  /"""(?:[^"\\]|\\[\s\S]|"{1,2}(?!"))*"""(?:"{0,2})/y,
  /'''(?:[^']|'{1,2}(?!'))*'''(?:'{0,2})/y,
  /"(?!"")(?:[^"\\\n]|\\.)*"/y,
  /'(?!'')[^'\n]*'/y,
];
const PLAIN = [/[+-]?(?:inf|nan)\b/y, /(?:true|false)\b/y, /\d{4}-\d\d-\d\d \d\d:[\d:.Zz+-]+/y, /[+-]?\d[\w.:+-]*/y];

/** Why a file is not TOML; null when it is, as far as that does not depend on what its names mean. */
export function tomlFault(text: string): TomlFault | null {
  let at = 0;
  const take = (pattern: RegExp): boolean => {
    pattern.lastIndex = at;
    const found = pattern.exec(text)?.[0];
    at += found?.length ?? 0;
    return found !== undefined;
  };
  const takeList = (close: RegExp, member: () => boolean): boolean => {
    for (;;) {
      take(BETWEEN);
      if (take(close)) return true;
      if (!member()) return false;
      take(BETWEEN);
      if (!take(/,/y)) return take(close);
    }
  };
  const takeValue = (): boolean => {
    if (TEXTS.some(take) || PLAIN.some(take)) return true;
    if (take(/\[/y)) return takeList(/\]/y, takeValue);
    return take(/\{/y) && takeList(/\}/y, () => take(KEY) && takeValue());
  };
  const fault = (message: string) => ({ line: text.slice(0, at).split('\n').length - 1, message });
  for (take(BETWEEN); at < text.length; take(BETWEEN)) {
    if (!take(TABLE)) {
      if (!take(KEY)) return fault('this is neither a table nor a name with a value');
      if (!takeValue()) return fault('this is not a value of TOML; a text needs quotes');
    }
    if (!take(END)) return fault('this line does not end after its value');
  }
  return null;
}
