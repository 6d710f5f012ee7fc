const EXIT_CODES = `
Exit codes:
  0 done    1 refused    2 usage error    3 nothing to claim    4 no longer yours (superseded or cancelled)
  5 kept open by a check or a TaskCompleted hook    69 the store cannot be reached (what an agent settles is kept)`;

export const TASK_HELP = `
Examples:
  $ stopgate task add "fix the login test" --priority 10
  $ stopgate task add < TODO.md                    every item of a Markdown list
  $ stopgate task list
  $ stopgate task claim                            claim one; prints how to settle it

Tasks are stored in ~/.stopgate/stopgate.db, or in the place given by --store or STOPGATE_STORE: a file, or
postgres://HOST/DATABASE. Any number of processes may share a store.
${EXIT_CODES}`;

export const ADD_HELP = `
Examples:
  $ stopgate task add "fix the login test" --body @report.txt --time-budget 20m --max-budget-usd 2 --token-budget 200k
  $ stopgate task add "deploy" --after k3v9 --after 7qn7 --at 18:30
  $ stopgate task add "nightly check" --key nightly          adds nothing while one is unfinished
  $ stopgate task add "parser" --verify "npm test"            done when this passes in a clean checkout of its work
  $ stopgate task add "parser" --verify "npm test" --judge "dates with a zone are tested"    then a model judges the diff
  $ stopgate task add "nightly check" --cron "0 3 * * *" --timezone Europe/Berlin
  $ stopgate task add "migrate" --concurrency-key repo:web    one at a time of those with this key
  $ stopgate task add "fix it" --repo git@example.org:own/work.git --base main    workers anywhere clone it
  $ stopgate task add < TODO.md
  $ jq -c '.[] | {title: .name, body: .text}' issues.json | stopgate task add

Markdown: each "- [ ] title" or "1. title" is a task, and the text indented below it is its body; "- [x]" is
skipped. "(key: NAME)" names a task; "(after: NAME, 2, k3v9)" makes it wait for a key, title or number in the
list, or for the id of an existing task. JSON Lines: title, body, priority, type, queue, key, after, delay, at,
maxFailures, maxClaims, timeBudget, totalTime, maxBudgetUsd, tokenBudget, dedupeKey, verify, judge, hold, repo,
base,
concurrencyKey, concurrency. Either all tasks are added or none.
Prints the ids, one per line.`;

export const EDIT_HELP = `
Examples:
  $ stopgate task edit k3v9 --priority 10 --queue urgent
  $ stopgate task edit k3v9 --note "the API key is in the vault now" --total-time 2h
  $ stopgate task edit k3v9 --without max-budget-usd
  $ stopgate task edit k3v9 --without judge         of the task; the judge of a project is in its stopgate.config.json

New limits apply from the next attempt on. A budget counts over all attempts since the task was added or requeued.

Exit codes:
  0 done, or already so    1 refused: it has ended    2 usage error`;

export const LIST_HELP = `
Examples:
  $ stopgate task list
  $ stopgate task list --state dead
  $ stopgate task list --dead                      grouped by reason
  $ stopgate task list --state queued --queue nightly --limit 200
  $ stopgate task list --json | jq -r '.tasks[] | select(.status == "dead") | .id'

States:
  queued means ready, delayed, blocked (by other tasks) or held; paused means ready in a paused queue
  claimed · verifying · done · dead (failed, lost or released too often) · cancelled
  open means not ended; ended means done, dead or cancelled`;

export const SHOW_HELP = `
Examples:
  $ stopgate task show k3v9
  $ stopgate task show k3v9 --json | jq '.attempts[].lateResult'`;

export const LOGS_HELP = `
Examples:
  $ stopgate task logs k3v9
  $ stopgate task logs k3v9 --follow
  $ stopgate task logs k3v9 --attempt 2 | less
  $ stopgate task logs k3v9 --transcript

The newest 2 MB of each attempt are kept, and up to as much of what came before. An agent that works on several tasks in one
session is seen to go on at the next heartbeat of its worker, so a few lines may be with the task before. A transcript is the file of the
agent's session, which contains all tasks of that session.`;

export const CLAIM_HELP = `
Examples:
  $ stopgate task claim --wait 30s
  $ stopgate task claim --worker nightly --type test,lint --json
  $ while task=$(stopgate task claim --json); do ./work "$task"; done

Without --worker, a claim belongs to the calling script or agent (this host and its process id), which can hold
one task at a time; to hold several, use different names. Workers are registered automatically.
${EXIT_CODES}`;

export const SETTLE_HELP = `
Examples:
  $ stopgate task complete k3v9 --epoch 1 --result "fixed in 3f2a9c1"
  $ stopgate task complete k3v9 --epoch 1 --next
  $ stopgate task fail k3v9 --epoch 1 --error @output.txt
  $ stopgate task release k3v9 --epoch 1 --note "the parser is done, the tests are not"

The epoch proves that the claim is still yours; a superseded worker is refused, and its result is kept. The epoch
can come from STOPGATE_TASK_EPOCH, and is not needed if the same shell, or --worker, made the claim.
TaskCompleted hooks from the settings run before a completion is written. With --next, the exit code is
that of the claim: 3 means that the task is done and there is no other.
${EXIT_CODES}`;

export const CHANGE_HELP = `
Examples:
  $ stopgate task cancel k3v9 --reason "no longer needed"
  $ stopgate task retry --all --queue nightly --state dead --dry-run
  $ stopgate task retry --all --queue nightly --state dead
  $ stopgate task cancel --all --key 'nightly-*' --dry-run

Exit codes:
  0 done, or already so    1 one of them was refused    2 usage error`;

export const PAUSE_HELP = `
Examples:
  $ stopgate task pause --reason "the build server is down"
  $ stopgate task resume nightly`;
