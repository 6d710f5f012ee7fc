interface Failure {
  readonly what: string;
  readonly folder: string;
  readonly code: number;
  readonly stderr: string;
}

/** What git says of the world around it, and what it means for the reader. The first match counts. */
const REASONS: readonly (readonly [RegExp, (failure: Failure, match: RegExpExecArray) => string])[] = [
  [/No space left on device|Disk quota exceeded/i, ({ folder }) => `The disk of ${folder} is full.`],
  [
    /dubious ownership in repository at '([^']*)'/,
    (_, [, path]) =>
      `Git does not use ${path} because another user owns it; if you trust it: git config --global --add safe.directory '${path}'`,
  ],
  [
    /Read-only file system|insufficient permission for adding an object|Permission denied|unable to create temporary file/i,
    ({ what, stderr }) => `${what} may not write (or read) what it needs: ${firstComplaint(stderr)}.`,
  ],
  [/\.lock': File exists/, ({ what }) => `${what} found a lock: another git command is running there, or one crashed.`],
];

/** One sentence for a git command that ended with an error. */
export function whyGitFailed(failure: Failure): string {
  for (const [pattern, reason] of REASONS) {
    const match = pattern.exec(failure.stderr);
    if (match) return reason(failure, match);
  }
  return `${failure.what} failed: ${firstComplaint(failure.stderr) || `exit code ${failure.code}`}.`;
}

/** The line that says it: what follows `fatal:` or `error:` often only repeats that something failed. */
function firstComplaint(stderr: string): string {
  const lines = stderr.split('\n').filter((line) => line.trim());
  const line = lines.find((text) => /^(error|fatal): /.test(text)) ?? lines[0] ?? '';
  return line
    .replace(/^(error|fatal): /, '')
    .slice(0, 300)
    .replace(/[.\s]+$/, '');
}
