#!/bin/bash
# Checks before every tool call whether it may still run in the time that is left, as a PreToolUse hook.
#
# Node starts only when a call could be refused: in the last stretch, and before that when a command names a time. Otherwise
# this decides alone, without a fork. $1 is the Node to use, $2 the script for it, the rest its options. Without a
# budget, or when anything is missing, it prints nothing and succeeds.

# By this file the agent's supervisor knows that a tool runs: src/stop/activityFile.ts
[ -z "${STOPGATE_ACTIVITY_FILE:-}" ] || printf s 2>/dev/null >>"$STOPGATE_ACTIVITY_FILE"

# The same lines as in budget-countdown.sh and src/budget/budgetEnd.ts.
end=
for value in "${STOPGATE_BUDGET_END:-}" "${AUTORESEARCH_BUDGET_END:-}"; do
  value=${value#"${value%%[!$' \t\n\v\f\r']*}"}
  value=${value%"${value##*[!$' \t\n\v\f\r']}"}
  case $value in '' | *[!0-9.]* | .* | *.*.*) continue ;; esac
  value=${value%%.*}
  [ ${#value} -le 15 ] || continue
  end=$((10#$value))
  [ $end -lt 100000000000 ] || end=$((end / 1000))
  break
done
[ -n "$end" ] || exit 0
now=${EPOCHSECONDS:-}
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

left=$((end - now))

# The longest timeout that Claude Code allows: the larger of these two, by default ten and two minutes
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
[ $left -ge $((10#$stretch)) ] || exec "$node" "$hook" pre-tool-use "${@:3}"

# Before the last stretch only a command that names a time can be refused. Node gets what was read here, followed by the
# rest of stdin: bash reads no more bytes from a pipe than it needs.
IFS= read -r -t 5 -n 2048 call
whole=1
[ ${#call} -lt 2048 ] || whole=
case $whole$call in
  *'"tool_name":"Bash"'* | *'"tool_name":"run_shell_command"'*) ;;
  *'"tool_name":"'*) exit 0 ;;
esac
case $whole$call in
  1*timeout* | 1*sleep* | [!1]*) ;;
  *) exit 0 ;;
esac
if [ -n "$whole" ]; then exec "$node" "$hook" pre-tool-use "${@:3}" <<<"$call"; fi
exec "$node" "$hook" pre-tool-use "${@:3}" < <(printf '%s' "$call" && exec cat)
