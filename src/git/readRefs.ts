import { type Dirent, existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { attempt } from '../system/attempt.ts';
import { readTextFileSync } from '../system/readTextFile.ts';

/** By name: an object, or `ref: NAME`. */
type Refs = Map<string, string>;

const MOST_LOOSE = 300;
const LONGEST_REF = 4_096;
const LARGEST_PACKED = 1_000_000;
/** Stands for bytes that are not UTF-8. */
const NOT_TEXT = '\ufffd';

/**
 * All refs, as git keeps them in files: a few small reads instead of a process. Whether a ref is packed makes no difference.
 * Undefined when only git can read them: another format, links, names that are not text, or too many. `gitDir` is that of the
 * worktree, `commonDir` that of the repository; another one for a linked worktree.
 */
export function readRefs(gitDir: string, commonDir: string): ReadonlyMap<string, string> | undefined {
  if (existsSync(join(commonDir, 'reftable'))) return undefined;
  const refs: Refs = new Map();
  if (!addPacked(refs, commonDir)) return undefined;
  const loose: Refs = new Map();
  for (const folder of new Set([commonDir, gitDir])) if (!addLoose(loose, folder, 'refs')) return undefined;
  for (const [name, value] of loose) refs.set(name, value);
  return refs;
}

/** `OBJECT NAME`; lines that begin with `#` or `^` are about others. */
function addPacked(refs: Refs, commonDir: string): boolean {
  const packed = readTextFileSync(join(commonDir, 'packed-refs'), LARGEST_PACKED);
  if (packed.type === 'missing') return true;
  if (packed.type === 'unreadable' || packed.cut || packed.text.includes(NOT_TEXT)) return false;
  for (const line of packed.text.split('\n')) {
    const space = line.indexOf(' ');
    if (space > 0 && !/^[#^]/.test(line)) refs.set(line.slice(space + 1), line.slice(0, space));
  }
  return true;
}

function addLoose(refs: Refs, folder: string, name: string): boolean {
  for (const entry of entriesIn(join(folder, name))) {
    const inner = `${name}/${entry.name}`;
    if (entry.name.endsWith('.lock')) continue;
    if (entry.isDirectory()) {
      if (!addLoose(refs, folder, inner)) return false;
      continue;
    }
    const isPlain = entry.isFile() && refs.size < MOST_LOOSE && !inner.includes(NOT_TEXT);
    const read = isPlain ? readTextFileSync(join(folder, inner), LONGEST_REF) : undefined;
    // removed meanwhile
    if (read?.type === 'missing') continue;
    if (read?.type !== 'read' || read.cut) return false;
    refs.set(inner, read.text.trimEnd());
  }
  return true;
}

const entriesIn = (folder: string): readonly Dirent[] =>
  attempt(() => readdirSync(folder, { withFileTypes: true }), []);
