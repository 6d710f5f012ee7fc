export const SCHEDULES_HELP = `
Examples:
  $ stopgate task add "nightly check" --cron "0 3 * * *" --timezone Europe/Berlin
  $ stopgate task add "look for new issues" --every 6h
  $ stopgate task schedules
  $ stopgate task schedules pause k3v9
  $ stopgate task schedules remove k3v9

Workers and coordinators of the store add the task when it is due, by the store's clock, each due time once. Times that
pass while none of them runs are made up for by one task. A due time is skipped while the task of the one before is
unfinished, unless the schedule was added with --overlap. Both are recorded as events.

Exit codes:
  0 done, or already so    1 there is no such schedule    2 usage error`;

export const LIMIT_HELP = `
Examples:
  $ stopgate task limit                            every limit, and what is in progress
  $ stopgate task limit nightly 2                  at most two tasks of this queue together
  $ stopgate task limit nightly none

A task is in progress while a worker has it or while it is being verified. Tasks that are claimed already stay claimed.
For tasks that must not run together wherever they are queued, use a key: stopgate task add --concurrency-key repo:web.`;
