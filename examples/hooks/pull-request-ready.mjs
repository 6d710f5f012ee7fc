#!/usr/bin/env node
// Stop hook: the turn may end when its work is ready for review: everything committed and pushed, no task open.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { block, forget, fullPath, notifyUser, projectDir, readEvent } from './stopHook.mjs';

const event = await readEvent();

/** The output of git, or null when it fails. Takes no locks: the agent may be using the index. */
function git(...args) {
  try {
    const env = { ...process.env, GIT_OPTIONAL_LOCKS: '0' };
    const stdio = ['ignore', 'pipe', 'ignore'];
    return execFileSync('git', args, {
      cwd: projectDir(event),
      env,
      stdio,
      encoding: 'utf8',
      timeout: 30_000,
    }).trimEnd();
  } catch {
    return null;
  }
}

const some = (lines, most = 10) =>
  lines.length > most ? [...lines.slice(0, most), `… and ${lines.length - most} more`] : lines;

function uncommitted() {
  const changed = (git('status', '--porcelain') ?? '').split('\n').filter(Boolean);
  return changed.length > 0 ? [`Commit or remove what is not committed:\n${some(changed).join('\n')}`] : [];
}

function unpushed() {
  const branch = git('symbolic-ref', '--short', '-q', 'HEAD');
  if (branch === null) return ['No branch is checked out: create one for the work and push it.'];
  const upstream = git('rev-parse', '--abbrev-ref', '@{upstream}');
  if (upstream === null) return [`Branch ${branch} was never pushed: git push -u origin ${branch}`];
  const [behind, ahead] = (git('rev-list', '--left-right', '--count', '@{upstream}...HEAD') ?? '0 0').split(/\s+/);
  if (ahead === '0') return [];
  if (behind !== '0') return [`Branch ${branch} and ${upstream} have diverged: rebase or merge, then push.`];
  return [`${ahead} commit${ahead === '1' ? '' : 's'} of ${branch} not in ${upstream}: git push`];
}

/** The session's task list, from the results of task tools in its transcript. */
function openTasks() {
  const tasks = new Map();
  for (const { toolUseResult: result } of transcript()) {
    for (const { id, ...known } of [result?.task, ...(result?.tasks ?? [])].filter((task) => task?.id)) {
      tasks.set(id, { status: 'pending', ...tasks.get(id), ...known });
    }
    if (result?.statusChange) tasks.set(result.taskId, { ...tasks.get(result.taskId), status: result.statusChange.to });
  }
  const open = [...tasks].filter(([, { status }]) => status === 'pending' || status === 'in_progress');
  const lines = open.map(([id, { subject = '', status }]) => `#${id} ${subject} (${status})`);
  return lines.length > 0
    ? [`Finish these tasks, or explain why they are not needed and delete them:\n${some(lines).join('\n')}`]
    : [];
}

function transcript() {
  try {
    const lines = readFileSync(fullPath(event.transcript_path), 'utf8').split('\n');
    return lines.filter((line) => line.includes('"toolUseResult"')).map((line) => JSON.parse(line));
  } catch {
    return [];
  }
}

if (git('rev-parse', '--git-dir') === null) {
  notifyUser('pull-request-ready checked nothing: this is not a git repository, or git is not installed.');
} else {
  const missing = [...uncommitted(), ...unpushed(), ...openTasks()];
  if (missing.length === 0) forget(event, 'pull-request-ready');
  else block(event, 'pull-request-ready', `The work is not ready for review.\n\n${missing.join('\n\n')}`);
}
