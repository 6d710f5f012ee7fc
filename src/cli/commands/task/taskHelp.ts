const EXIT_CODES = `
Exit codes:
  0 done    1 refused, or the store is not there    2 wrong use    3 nothing to claim
  4 no longer yours (superseded or cancelled)       5 a TaskCompleted hook keeps it open`;

export const TASK_HELP = `
Examples:
  $ stopgate task add "fix the login test" --priority 10
  $ stopgate task add < TODO.md                    every item of a Markdown list
  $ stopgate task list
  $ stopgate task claim                            take one; prints how to settle it

Tasks are in ~/.stopgate/stopgate.db, or where --store or STOPGATE_STORE says: a file, or
postgres://HOST/DATABASE. Any number of processes may use one store at once.
${EXIT_CODES}`;

export const ADD_HELP = `
Examples:
  $ stopgate task add "fix the login test" --body @report.txt --time-budget 20m
  $ stopgate task add "deploy" --after k3v9 --after 7qn7 --at 18:30
  $ stopgate task add "nightly check" --key nightly          adds nothing while one is open
  $ stopgate task add < TODO.md
  $ jq -c '.[] | {title: .name, body: .text}' issues.json | stopgate task add

A Markdown list: each "- [ ] title" or "1. title" is a task, text indented below it its body, "- [x]" is
skipped. "(key: NAME)" names one; "(after: NAME, 2, k3v9)" lets it wait: for a key, a title or a number of
the list, or for the id of a task that is there already. JSON Lines: title, body, priority, type, queue,
key, after, delay, at, maxFailures, maxClaims, timeBudget, dedupeKey, verify, hold. All are added, or none.
The ids are printed, one a line.`;

export const LIST_HELP = `
Examples:
  $ stopgate task list
  $ stopgate task list --state dead
  $ stopgate task list --state queued --queue nightly --limit 200
  $ stopgate task list --json | jq -r '.tasks[] | select(.status == "dead") | .id'

States:
  queued is any of ready, delayed, blocked (by other tasks) and held; paused is ready in a paused queue
  claimed · verifying · done · dead (failed, lost or given back too often) · cancelled
  open and ended stand for all that have not ended, and all that have`;

export const SHOW_HELP = `
Examples:
  $ stopgate task show k3v9
  $ stopgate task show k3v9 --json | jq '.attempts[].lateResult'`;

export const CLAIM_HELP = `
Examples:
  $ stopgate task claim --wait 30s
  $ stopgate task claim --worker nightly --type test,lint --json
  $ while task=$(stopgate task claim --json); do ./work "$task"; done

Without --worker a claim belongs to the script or agent that called (this host, its process id), which has one
task at a time; several at once need names. It registers itself; nothing has to be started before.
${EXIT_CODES}`;

export const SETTLE_HELP = `
Examples:
  $ stopgate task complete k3v9 --epoch 1 --result "fixed in 3f2a9c1"
  $ stopgate task complete k3v9 --epoch 1 --next
  $ stopgate task fail k3v9 --epoch 1 --error @output.txt
  $ stopgate task release k3v9 --epoch 1 --note "the parser is done, the tests are not"

The epoch proves that the claim is still yours; who was replaced is refused, and its result kept. It may
come from STOPGATE_TASK_EPOCH, and is not needed where the same shell, or --worker, made the claim.
TaskCompleted hooks of the settings here are asked before a completion is written. With --next the exit code is
that of the claim: 3 says that the task is done and there is no other.
${EXIT_CODES}`;

export const CHANGE_HELP = `
Examples:
  $ stopgate task cancel k3v9 --reason "no longer needed"
  $ stopgate task redrive $(stopgate task list --state dead --json | jq -r '.tasks[].id')

Exit codes:
  0 done, or so already    1 one of them was refused    2 wrong use`;

export const PAUSE_HELP = `
Examples:
  $ stopgate task pause --reason "the build server is down"
  $ stopgate task resume nightly`;
