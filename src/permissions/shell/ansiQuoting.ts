import { ownValue } from '../../system/ownValue.ts';

const NAMED: Readonly<Record<string, string>> = {
  a: '\u0007',
  b: '\b',
  e: '\u001b',
  E: '\u001b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\u000b',
};

/** The text that bash makes of what stands between `$'` and `'`. */
export function decodeAnsiQuoted(source: string): string {
  return source.replace(
    /\\(?:x([0-9a-fA-F]{1,2})|u([0-9a-fA-F]{1,4})|U([0-9a-fA-F]{1,8})|([0-7]{1,3})|c([\s\S])|([\s\S]))/g,
    (_, hex?: string, short?: string, long?: string, octal?: string, control?: string, other?: string) => {
      const code = hex ?? short ?? long;
      if (code !== undefined) return fromCode(Number.parseInt(code, 16));
      if (octal !== undefined) return fromCode(Number.parseInt(octal, 8) & 0xff);
      if (control !== undefined) return fromCode(control.charCodeAt(0) & 0x1f);
      return ownValue(NAMED, other) ?? other ?? '';
    },
  );
}

function fromCode(code: number): string {
  return code > 0x10ffff ? '' : String.fromCodePoint(code);
}
