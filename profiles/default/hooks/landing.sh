#!/bin/bash
# Checks before every tool call whether it may still run in the time that is left, as a PreToolUse hook.
#
# Node starts only when a call could be refused: in the last stretch, and before that when a command asks for time. Until then
# this decides alone, without a fork. $1 is the Node to use, $2 what it runs. Without a clock, or when anything is missing, it
# prints nothing and succeeds.

# The agent's supervisor sees by this file that a tool runs: src/stop/activityFile.ts
[ -z "${STOPGATE_ACTIVITY_FILE:-}" ] || printf s 2>/dev/null >>"$STOPGATE_ACTIVITY_FILE"

# The same lines as in budget-countdown.sh; src/budget/budgetEnd.ts reads the same.
end=
for said in "${STOPGATE_BUDGET_END:-}" "${AUTORESEARCH_BUDGET_END:-}"; do
  said=${said#"${said%%[!$' \t\n\v\f\r']*}"}
  said=${said%"${said##*[!$' \t\n\v\f\r']}"}
  case $said in '' | *[!0-9.]* | .* | *.*.*) continue ;; esac
  said=${said%%.*}
  [ ${#said} -le 15 ] || continue
  end=$((10#$said))
  [ $end -lt 100000000000 ] || end=$((end / 1000))
  break
done
[ -n "$end" ] || exit 0
now=${EPOCHSECONDS:-}
[ -n "$now" ] || now=$(date +%s)

# A launcher's machine booted at this time by the clock that the end was written with. The machine's clock can be set, the time
# since boot cannot: src/stop/hookClock.ts computes the same.
booted=${STOPGATE_BOOTED_AT:-} up=
case ${booted#* } in
'' | *[!0-9]* | ????????????????*) ;;
*)
  { read -r boot </proc/sys/kernel/random/boot_id && read -r up _ </proc/uptime; } 2>/dev/null
  [ -z "$up" ] || [ "${booted% *}" != "$boot" ] || now=$(((10#${booted#* } + 10#${up/./}) / 100))
  ;;
esac

left=$((end - now))

# No call can ask for more than Claude Code allows: the larger of these two, which are ten and two minutes by default
max=${BASH_MAX_TIMEOUT_MS:-} usual=${BASH_DEFAULT_TIMEOUT_MS:-}
case $max in '' | *[!0-9]* | ?????????????*) max=600000 ;; esac
case $usual in '' | *[!0-9]* | ?????????????*) usual=120000 ;; esac
[ $((10#$max)) -ge $((10#$usual)) ] || max=$usual
stretch=${STOPGATE_LAST_STRETCH:-120}
case $stretch in '' | *[!0-9]* | ?????????????*) stretch=120 ;; esac
[ $left -le $((10#$max / 1000)) ] || [ $left -lt $((10#$stretch)) ] || exit 0

node=${1:-node}
hook=${2:-${BASH_SOURCE[0]%/*}/../../../dist/hook.cjs}
[ -r "$hook" ] || exit 0
command -v "$node" >/dev/null || exit 0
[ $left -ge $((10#$stretch)) ] || exec "$node" "$hook" pre-tool-use

# Before the last stretch only a command can be refused, and only when it names a time. Node gets what was read here, and
# after it the rest: bash takes no byte too many from a pipe.
IFS= read -r -t 5 -n 2048 call
whole=1
[ ${#call} -lt 2048 ] || whole=
case $whole$call in
  *'"tool_name":"Bash"'*) ;;
  *'"tool_name":"'*) exit 0 ;;
esac
case $whole$call in
  1*timeout* | 1*sleep* | [!1]*) ;;
  *) exit 0 ;;
esac
if [ -n "$whole" ]; then exec "$node" "$hook" pre-tool-use <<<"$call"; fi
exec "$node" "$hook" pre-tool-use < <(printf '%s' "$call" && exec cat)
