import { type Network, REMOTE, type RemoteFailure } from './networkGit.ts';
import { withoutUsers } from './repositoryAddress.ts';

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
    if (answer.flag !== '!') return [];
    return [[ref, describe(answer.summary, { url: network.remote.url, told: toldIn(end.stderr) })] as const];
  });
  return { type: 'answered', refused: new Map(refused) };
}

/** `FLAG\tFROM:TO\tSUMMARY`, one line for each ref. */
function readAnswers(output: string) {
  const lines = output.split('\n').flatMap((line) => {
    const [flag = '', names = '', summary = ''] = line.split('\t');
    return names === '' ? [] : [[names.slice(names.indexOf(':') + 1), { flag, summary }] as const];
  });
  return new Map(lines);
}

function describe(summary: string, { url, told }: { readonly url: string; readonly told: string }): string {
  if (/stale info|fetch first|non-fast-forward/.test(summary)) return `another process has written it on ${url}`;
  const why = summary.replace(/^\[[^\]]*\] */, '').replace(/^\(|\)$/g, '');
  return `${url} refused it: ${why}${told === '' ? '' : ` (${told})`}`;
}

const LONGEST_TOLD = 300;

/** What the server itself wrote, such as the message of its hook. */
function toldIn(stderr: string): string {
  const lines = stderr.split('\n').flatMap((line) => /^remote: (.*)$/.exec(line)?.[1]?.trim() || []);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: a server must not control the terminal
  return withoutUsers(lines.join(' ').replaceAll(/[\x00-\x1f\x7f]/g, '')).slice(0, LONGEST_TOLD);
}
