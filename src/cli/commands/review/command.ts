import type { Command } from 'commander';
import { commandRunner, type SetExitCode, withCommonOptions } from '../task/taskOptions.ts';

const LIST_HELP = `
Examples:
  $ stopgate review                                what waits for you
  $ stopgate review show k3v9 --diff
  $ stopgate review accept k3v9 7qn7 --squash      merged, checked, and only then on the branch
  $ stopgate review reject k3v9 "the tests are missing"
  $ stopgate review --json | jq '.reviews[] | {taskId, state, diff}'

Finished tasks of workers with --worktrees wait here until a person accepts or rejects them. States:
  waiting · returned (accepted, but it could not be landed; REASON says why) · accepted (in the landing queue)
  landing · interrupted (the process that landed it is gone; \`stopgate review land\` continues) · landed
  proposed (a pull request was opened) · rejected`;

const SHOW_HELP = `
Examples:
  $ stopgate review show k3v9
  $ stopgate review show k3v9 --diff               the diff, in your pager on a terminal
  $ stopgate review show k3v9 --diff | delta`;

const OPEN_HELP = `
Examples:
  $ stopgate review open k3v9                      in $VISUAL or $EDITOR
  $ cd "$(stopgate review open k3v9 --print)"

Uses the worktree of the attempt while it is as it was completed, else a worktree of the commit in ~/.stopgate/review.`;

const ACCEPT_HELP = `
Examples:
  $ stopgate review accept k3v9
  $ stopgate review accept k3v9 7qn7 2m4c --squash --into main
  $ stopgate review accept --all --dry-run         what would conflict
  $ stopgate review accept k3v9 --pr-command 'gh pr create --head "$STOPGATE_BRANCH" --title "$STOPGATE_TITLE" --body "$STOPGATE_BODY"'
  $ STOPGATE_WEBHOOK_SECRET=… stopgate review accept k3v9 --pr-webhook https://ci.example.org/pull-requests

Each goes through the landing queue of its repository and branch: the merged result is checked with the definition of done
that you trusted, in a clean checkout, and only then the branch moves. Several are checked together; when they fail, they are
halved until the culprits are alone. Those are returned to you with the reason, or with --requeue to the queue. Your own
worktree moves along if it has the branch checked out and no uncommitted changes.

For a task whose repository is a remote, the branch is that of the remote, and moves by a push; \`git pull\` gets it.

A webhook gets the JSON that a command gets, a Stopgate-Signature and an Idempotency-Key, and answers {"url": "…"}. Anything
else leaves the work waiting, with the reason.

Defaults (method, into, prCommand, prWebhook) can be set in ~/.stopgate/review.json.

Exit codes:
  0 all of them landed    1 some did not    2 usage error    69 the store cannot be reached`;

const REJECT_HELP = `
Examples:
  $ stopgate review reject k3v9 "the tests are missing"
  $ stopgate review reject k3v9 "no longer needed" --drop

Exit codes:
  0 rejected    1 another process was faster    2 usage error    69 the store cannot be reached`;

const LIMIT_HELP = `
Examples:
  $ stopgate review limit 5                        also: stopgate fleet up --review-limit 5
  $ stopgate review limit none --queue nightly
  $ stopgate review limit                          shows the limits, and how many wait`;

const LAND_HELP = `
Examples:
  $ stopgate review land                           after an interruption, or after \`review accept --no-land\`
  $ stopgate review land --into main

Exit codes:
  0 all of them landed    1 some did not    2 usage error    69 the store cannot be reached`;

export function addReviewCommand(program: Command, setExitCode: SetExitCode): void {
  const { run, runInterruptibly } = commandRunner(setExitCode);
  const review = program
    .command('review')
    .description('look at finished work, land it on a branch, or send it back')
    .addHelpText('after', LIST_HELP);
  const list = review
    .command('list', { isDefault: true })
    .description('finished attempts that wait for you, with diff, proof, cost and age')
    .option('--all', 'also those that were decided')
    .option('--queue <name>', 'only tasks of this queue')
    .option('-n, --limit <n>', 'maximum number (default: 50)');
  withCommonOptions(list, LIST_HELP).action(run(async () => (await import('./runShow.ts')).runReviewList));
  const show = review
    .command('show')
    .description('one finished attempt: commits, files, checks, result')
    .argument('<id>', 'the id of its task, or the beginning of it')
    .option('--diff', 'the diff itself');
  withCommonOptions(show, SHOW_HELP).action(run(async () => (await import('./runShow.ts')).runReviewShow));
  const open = review
    .command('open')
    .description('open the work in your editor, or print its folder')
    .argument('<id>', 'the id of its task, or the beginning of it')
    .option('--print', 'only print the folder');
  withCommonOptions(open, OPEN_HELP).action(run(async () => (await import('./runOpen.ts')).runReviewOpen));
  addDecisions(review, { run, runInterruptibly });
}

function addDecisions(review: Command, { run, runInterruptibly }: ReturnType<typeof commandRunner>): void {
  const accept = review
    .command('accept')
    .description('land finished work on a branch, after its checks have passed on the merged result')
    .argument('[id...]', 'ids of tasks, or their beginnings')
    .option('--all', 'everything that waits, instead of ids')
    .option('--queue <name>', 'with --all: only tasks of this queue')
    .option('--merge', 'with a merge commit (default)')
    .option('--rebase', 'its commits on top of the branch')
    .option('--squash', 'as one commit')
    .option('--into <branch>', 'the branch (default: the one that is checked out; for a remote, the base of the task)')
    .option('--requeue', 'work that cannot be landed goes back to the queue, with the reason')
    .option('--no-land', 'only put it into the landing queue')
    .option('--pr', 'open pull requests instead, with the command or webhook of review.json')
    .option('--pr-command <command>', 'open pull requests instead, with this command')
    .option('--pr-webhook <url>', 'open pull requests instead, by a signed POST to this URL')
    .option('--dry-run', 'only show what would be merged, and what would conflict');
  withCommonOptions(accept, ACCEPT_HELP).action(
    runInterruptibly(async () => (await import('./runAccept.ts')).runAccept),
  );
  const reject = review
    .command('reject')
    .description('send finished work back to the queue with a reason, or drop it')
    .argument('<id>', 'the id of its task, or the beginning of it')
    .argument('<why>', 'for the next attempt')
    .option('--drop', 'do not queue it again');
  withCommonOptions(reject, REJECT_HELP).action(run(async () => (await import('./runReject.ts')).runReject));
  const limit = review
    .command('limit')
    .description('claim no task of a queue while so many of its attempts wait for review; or show the limits')
    .argument('[n]', 'the limit, or none')
    .option('--queue <name>', 'the queue (default: default)');
  withCommonOptions(limit, LIMIT_HELP).action(run(async () => (await import('./runLimit.ts')).runLimit));
  const land = review
    .command('land')
    .description('land what was accepted before, on the branches of this repository')
    .option('--into <branch>', 'only this branch');
  withCommonOptions(land, LAND_HELP).action(runInterruptibly(async () => (await import('./runLand.ts')).runLand));
}
