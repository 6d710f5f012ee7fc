import { join } from 'node:path';
import { expect, it } from 'vitest';
import { gitRepository } from '../../../tests/support/gitRepository.ts';
import { fetchedRef, fetchRefs } from './fetchRefs.ts';
import { withNetwork } from './networkGit.ts';

it.each([
  ['a branch', 'work', 'work/part'],
  ['a folder of branches', 'work/part', 'work'],
])('a name that was %s on the remote before hides nothing that is there now', async (_what, before, now) => {
  await using repository = await gitRepository();
  const { git, hardened, path, beside } = repository;
  const folder = join(beside, 'clone');
  git('init', '--quiet', folder);
  git('-C', folder, 'commit', '--quiet', '--allow-empty', '-m', 'own');
  const remote = { type: 'remote', url: `file://${path}`, protocols: 'file', hadSecret: false } as const;
  const fetch = (name: string) =>
    withNetwork(hardened, { folder, remote }, (network) => fetchRefs(network, [`refs/heads/${name}`]));
  git('branch', before);
  expect(await fetch(before)).toEqual({ type: 'fetched' });
  git('-C', folder, 'pack-refs', '--all');
  git('branch', '-D', '--quiet', before);
  git('branch', now);
  expect(await fetch(now)).toEqual({ type: 'fetched' });
  const listed = git('-C', folder, 'for-each-ref', '--format=%(refname)', 'refs/stopgate', 'refs/heads').trim();
  expect(listed.split('\n')).toEqual(['refs/heads/main', fetchedRef(`refs/heads/${now}`)]);
});
