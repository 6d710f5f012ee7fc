#!/bin/bash
# Reports the remaining time to an agent, as the answer of a hook. $1 is the event: PostToolBatch, which Claude Code fires
# once after every batch of tool calls, even a failed one. Default: PostToolUse. With `top` as $2 the text is at the top level of the
# answer, where Copilot CLI reads it.
#
# STOPGATE_BUDGET_END, or AUTORESEARCH_BUDGET_END, is the end in Unix seconds. Without a valid one this prints nothing and
# succeeds. It runs often, so it forks nothing and needs only bash; src/budget/timeBudget.ts does the same, and a test keeps
# the two equal.

# By this file the agent's supervisor knows that tools have ended: src/stop/activityFile.ts
[ -z "${STOPGATE_ACTIVITY_FILE:-}" ] || printf e 2>/dev/null >>"$STOPGATE_ACTIVITY_FILE"

# Settings of an older Stopgate call this after each tool; if a launcher configured the batch event, that is enough.
[ -n "${1:-}" ] || [ -z "${STOPGATE_COUNTDOWN:-}" ] || exit 0

# The same lines as in landing.sh and src/budget/budgetEnd.ts. Accepts blanks, a fraction, and milliseconds.
end=
for value in "${STOPGATE_BUDGET_END:-}" "${AUTORESEARCH_BUDGET_END:-}"; do
  value=${value#"${value%%[!$' \t\n\v\f\r']*}"}
  value=${value%"${value##*[!$' \t\n\v\f\r']}"}
  case $value in '' | *[!0-9.]* | .* | *.*.*) continue ;; esac
  value=${value%%.*}
  [ ${#value} -le 15 ] || continue
  # 10# keeps a leading zero from making the number octal
  end=$((10#$value))
  [ $end -lt 100000000000 ] || end=$((end / 1000))
  break
done
[ -n "$end" ] || exit 0

# bash 5 knows the time; older versions (macOS) use date. The test sets its own.
now=${STOPGATE_BUDGET_NOW:-${EPOCHSECONDS:-}}
[ -n "$now" ] || now=$(date +%s)

# The boot time of the machine by the clock that the end was written with. The machine's clock can be set, the time since
# boot cannot: src/stop/hookClock.ts computes the same.
booted=${STOPGATE_BOOTED_AT:-} up=
case ${booted#* } in
'' | *[!0-9]* | ????????????????*) ;;
*)
  { read -r boot </proc/sys/kernel/random/boot_id && read -r up _ </proc/uptime; } 2>/dev/null
  [ -z "$up" ] || [ "${booted% *}" != "$boot" ] || now=$(((10#${booted#* } + 10#${up/./}) / 100))
  ;;
esac
case $now in '' | *[!0-9]*) exit 0 ;; esac

left=$((end - 10#$now))
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

# When the text changes: for a budget of less than 4 minutes, its last half and its last quarter
wrap=300 stop=120 total=${STOPGATE_BUDGET_TOTAL:-}
case $total in
  '' | *[!0-9]* | ?????????????*) ;;
  *) [ $((10#$total)) -ge 240 ] || wrap=$((10#$total / 2)) stop=$((10#$total / 4)) ;;
esac

if [ $left -le 0 ]; then
  text='▲▲▲ BUDGET EXPIRED — COMMIT NOW AND EXIT ▲▲▲'
elif [ $left -lt $stop ]; then
  text="▲▲▲ BUDGET: $words — STOP EDITING, COMMIT NOW, EXIT ▲▲▲"
elif [ $left -le $wrap ]; then
  text="▲ BUDGET: $words remaining — wrap up and commit soon"
else
  text="BUDGET: $words remaining"
fi
if [ "${2:-}" = top ]; then
  printf '{"additionalContext":"%s"}\n' "$text"
  exit 0
fi
printf '{"hookSpecificOutput":{"hookEventName":"%s","additionalContext":"%s"}}\n' "${1:-PostToolUse}" "$text"
