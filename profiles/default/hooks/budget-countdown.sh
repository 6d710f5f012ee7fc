#!/bin/bash
# Tells an agent after every tool call how much time is left, as the answer of a PostToolUse hook.
#
# STOPGATE_BUDGET_END, or AUTORESEARCH_BUDGET_END, is the end in Unix seconds. Without it, or when it is not a number, this
# says nothing and succeeds: a hook that runs at every tool call must never be in the way. For the same reason nothing is
# forked and nothing but bash is needed; src/budget/timeBudget.ts says the same, and a test holds the two together.

# Who supervises the agent sees by this file that a tool has ended: src/cli/gates/activityFile.ts
[ -z "${STOPGATE_ACTIVITY_FILE:-}" ] || printf e 2>/dev/null >>"$STOPGATE_ACTIVITY_FILE"

end=${STOPGATE_BUDGET_END:-${AUTORESEARCH_BUDGET_END:-}}
case $end in '' | *[!0-9]* | ?????????????*) exit 0 ;; esac

# bash 5 knows the time; older ones (macOS) are told by date. The test sets its own.
now=${STOPGATE_BUDGET_NOW:-${EPOCHSECONDS:-}}
[ -n "$now" ] || now=$(date +%s)
case $now in '' | *[!0-9]*) exit 0 ;; esac

# 10# keeps a leading zero from making the number octal
left=$((10#$end - 10#$now))
if [ $left -ge 3600 ]; then
  minutes=$((left % 3600 / 60))
  [ $minutes -ge 10 ] || minutes=0$minutes
  words=$((left / 3600))h${minutes}m
elif [ $left -ge 60 ]; then
  seconds=$((left % 60))
  [ $seconds -ge 10 ] || seconds=0$seconds
  words=$((left / 60))m${seconds}s
else
  words=${left}s
fi

if [ $left -le 0 ]; then
  text='▲▲▲ BUDGET EXPIRED — COMMIT NOW AND EXIT ▲▲▲'
elif [ $left -lt 120 ]; then
  text="▲▲▲ BUDGET: $words — STOP EDITING, COMMIT NOW, EXIT ▲▲▲"
elif [ $left -le 300 ]; then
  text="▲ BUDGET: $words remaining — wrap up and commit soon"
else
  text="BUDGET: $words remaining"
fi
printf '{"hookSpecificOutput":{"hookEventName":"PostToolUse","additionalContext":"%s"}}\n' "$text"
