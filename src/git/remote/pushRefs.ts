import { type Network, REMOTE, type RemoteFailure } from './networkGit.ts';

export interface RefPush {
  /** Its full name on the remote. */
  readonly ref: string;
  /** Null removes it. */
  readonly commit: string | null;
  /** What it must be there now, or it is not touched; null: it must not exist. */
  readonly before: string | null;
}

export type PushedRefs =
  /** Those that were not taken, with the reason. */
  { readonly type: 'answered'; readonly refused: ReadonlyMap<string, string> } | RemoteFailure;

/** Each ref for itself: one that a server does not take must not keep the others away. No other ref is touched. */
export async function pushRefs(network: Network, refs: readonly RefPush[]): Promise<PushedRefs> {
  if (refs.length === 0) return { type: 'answered', refused: new Map() };
  const leases = refs.map(({ ref, before }) => `--force-with-lease=${ref}:${before ?? ''}`);
  const specs = refs.map(({ ref, commit }) => `${commit ?? ''}:${ref}`);
  const args = ['push', '--porcelain', '--no-verify', ...leases, REMOTE, ...specs];
  const end = await network.run({ args, okCodes: [1], timeoutMs: network.limits.pushMs });
  if (end.type === 'failed') return end;
  const answers = readAnswers(end.stdout);
  const refused = refs.flatMap(({ ref }) => {
    const answer = answers.get(ref);
    if (answer === undefined) return [[ref, `${network.remote.url} did not answer for ${ref}`] as const];
    return answer.flag === '!' ? [[ref, describe(answer.summary, network.remote.url)] as const] : [];
  });
  return { type: 'answered', refused: new Map(refused) };
}

interface Answer {
  readonly flag: string;
  readonly summary: string;
}

/** `FLAG\tFROM:TO\tSUMMARY`, one line for each ref. */
function readAnswers(output: string): ReadonlyMap<string, Answer> {
  const lines = output.split('\n').flatMap((line) => {
    const [flag = '', names = '', summary = ''] = line.split('\t');
    return names === '' ? [] : [[names.slice(names.indexOf(':') + 1), { flag, summary }] as const];
  });
  return new Map(lines);
}

function describe(summary: string, url: string): string {
  if (/stale info|fetch first|non-fast-forward/.test(summary)) return `another process has written it on ${url}`;
  return `${url} refused it: ${summary.replace(/^\[[^\]]*\] */, '').replace(/^\(|\)$/g, '')}`;
}
