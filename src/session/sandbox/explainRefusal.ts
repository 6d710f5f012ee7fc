export interface RefusalFacts {
  readonly writable: readonly string[];
  /** Empty where there is no network at all. */
  readonly domains: readonly string[];
}

const FILES =
  /read-only file system|operation not permitted|permission denied|device or resource busy|\bE(ROFS|PERM|ACCES|BUSY)\b/i;
const NETWORK =
  /network is unreachable|could not resolve|temporary failure in name resolution|name or service not known|tunnel failed|the sandbox refuses|failed to connect|connection refused|\b(ENETUNREACH|EAI_AGAIN|ENOTFOUND|ECONNREFUSED)\b/i;

/** What the model reads after a command that failed and may have been refused by the sandbox; undefined for others. */
export function explainRefusal(output: string, { writable, domains }: RefusalFacts): string | undefined {
  const network =
    domains.length === 0
      ? 'the sandbox has no network; sandbox.network.allowedDomains in a settings file opens hosts'
      : `the sandbox reaches only ${domains.join(', ')}, and by its HTTP proxy; sandbox.network.allowedDomains opens more`;
  const files = `the sandbox lets commands write only in ${writable.join(', ')} and $TMPDIR, not to what decides which programs run (.git/config, .git/hooks, .claude …), and shuts off credentials and denied paths`;
  const reason = NETWORK.test(output) ? network : FILES.test(output) ? files : undefined;
  return reason && `This command ran in a sandbox and may have been refused by it: ${reason}.`;
}

/** For the system prompt. */
export function describeSandbox({ writable, domains }: RefusalFacts): string {
  const network = domains.length === 0 ? 'have no network' : `reach only these hosts: ${domains.join(', ')}`;
  return `Bash commands run in a sandbox: they can write only in ${writable.join(', ')} and $TMPDIR, ${network}, and cannot read credentials. /tmp is the sandbox's own; files for other tools go to $TMPDIR. What a command starts ends with it: use run_in_background for servers.`;
}
