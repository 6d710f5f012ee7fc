import type { Git } from '../git.ts';
import { readRecord, type SnapshotRecord } from '../snapshotRecord.ts';
import { SNAPSHOTS, snapshotId } from '../snapshotRef.ts';

/** A snapshot that a ref points to, or an earlier one in its chain. */
export interface KeptState {
  readonly id: string;
  readonly ref: string;
  readonly commit: string;
  readonly tree: string;
  readonly keptAt: number;
  readonly subject: string;
  readonly record: SnapshotRecord;
}

export type ListedStates =
  | { readonly type: 'listed'; readonly states: readonly KeptState[] }
  | { readonly type: 'failed'; readonly reason: string };

const FIELDS = '%(refname)%0a%(objectname)%0a%(tree)%0a%(committerdate:unix)%0a%(parent)%0a%(contents)%00';

/** Every state kept in a repository, newest first; linked worktrees share them. */
export async function listKeptStates(git: Git, folder: string): Promise<ListedStates> {
  const states: KeptState[] = [];
  let record = '';
  // a message has any number of lines, so records end with a zero byte
  const onLine = (line: string) => {
    const [before = '', ...after] = line.split('\0');
    record += after.length > 0 ? before : `${line}\n`;
    if (after.length === 0) return;
    const state = readState(record);
    if (state) states.push(state);
    record = '';
  };
  const args = ['for-each-ref', '--sort=-committerdate', `--format=${FIELDS}`, `${SNAPSHOTS}/`];
  const end = await git.run({ folder, args, onLine });
  if (end.type === 'failed') return { type: 'failed', reason: end.reason };
  return { type: 'listed', states };
}

function readState(text: string): KeptState | undefined {
  const [ref = '', commit = '', tree = '', seconds = '', parents = '', ...lines] = text.split('\n');
  if (!ref.startsWith(`${SNAPSHOTS}/`) || tree === '') return undefined;
  const message = lines.join('\n');
  // earlier versions wrote no record, and the first parent was HEAD
  const record = readRecord(message) ?? { base: parents.split(' ')[0] || undefined };
  return { id: snapshotId(ref), ref, commit, tree, keptAt: Number(seconds) * 1000, subject: lines[0] ?? '', record };
}

export type FoundState =
  | { readonly type: 'found'; readonly state: KeptState }
  | { readonly type: 'none' | 'several' | 'noEarlier'; readonly reason: string };

/** By its id, an unambiguous prefix of it, or its ref; `ID~2` is two before it at the same ref. */
export async function findKeptState(
  git: Git,
  folder: string,
  { states, wanted }: { readonly states: readonly KeptState[]; readonly wanted: string },
): Promise<FoundState> {
  const [, name = '', steps = '0'] = /^(.*?)(?:~(\d{1,4}))?$/s.exec(wanted) ?? [];
  const id = snapshotId(name);
  const exact = states.filter((state) => state.id === id);
  const matching = exact.length > 0 || id === '' ? exact : states.filter((state) => state.id.startsWith(id));
  const [state, another] = matching;
  if (state === undefined) {
    return { type: 'none', reason: `There is no kept state "${name}"; \`stopgate restore\` lists all kept states.` };
  }
  if (another) {
    const names = matching.map((one) => one.id).join(', ');
    return { type: 'several', reason: `"${name}" could be ${names}; write more of it.` };
  }
  let at = state;
  for (let step = 1; step <= Number(steps); step++) {
    const before = await previousState(git, folder, at);
    if (before === undefined) {
      const reason = `${state.id} has ${step - 1} earlier ${step === 2 ? 'state' : 'states'}, not ${Number(steps)}.`;
      return { type: 'noEarlier', reason };
    }
    at = { ...before, id: `${state.id}~${step}` };
  }
  return { type: 'found', state: at };
}

async function previousState(git: Git, folder: string, state: KeptState): Promise<KeptState | undefined> {
  const { previous } = state.record;
  if (previous === undefined) return undefined;
  const format = '--format=%H%n%T%n%ct%n%P%n%B';
  const end = await git.run({ folder, args: ['log', '-1', format, '--end-of-options', previous, '--'] });
  return end.type === 'failed' ? undefined : readState(`${state.ref}\n${end.stdout}`);
}
