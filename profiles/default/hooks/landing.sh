#!/bin/bash
# Asks before every tool call whether it may still run on the time that is left, as a PreToolUse hook.
#
# Node is started only when time is short: while more is left than any tool can ask for, this ends at once, without a fork.
# $1 is the Node to use, $2 what it runs. Without a clock, or when anything is missing, it says nothing and succeeds.

# Who supervises the agent sees by this file that a tool runs: src/cli/gates/activityFile.ts
[ -z "${STOPGATE_ACTIVITY_FILE:-}" ] || printf s 2>/dev/null >>"$STOPGATE_ACTIVITY_FILE"

end=${STOPGATE_BUDGET_END:-${AUTORESEARCH_BUDGET_END:-}}
case $end in '' | *[!0-9]* | ?????????????*) exit 0 ;; esac
now=${EPOCHSECONDS:-}
[ -n "$now" ] || now=$(date +%s)

# Claude Code lets a command ask for ten minutes unless told otherwise; one that sleeps or waits longer says so itself
longest=${BASH_MAX_TIMEOUT_MS:-600000}
case $longest in '' | *[!0-9]* | ?????????????*) longest=600000 ;; esac
longest=$((10#$longest / 1000))
[ $longest -ge 3600 ] || longest=3600
[ $((10#$end - now)) -le $longest ] || exit 0

node=${1:-node}
hook=${2:-${BASH_SOURCE[0]%/*}/../../../dist/hook.cjs}
[ -r "$hook" ] || exit 0
command -v "$node" >/dev/null || exit 0
exec "$node" "$hook" pre-tool-use
