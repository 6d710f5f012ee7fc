#!/bin/bash
# Saves an API error for the agent's supervisor (STOPGATE_FAILURE_FILE; without it there is nothing to do).
#
# Claude Code does not wait for StopFailure hooks: headless, it exits milliseconds later and ends them. So this ignores the
# signals, starts no other program, and leaves the decision to the supervisor.
trap '' TERM HUP INT
[ -n "${STOPGATE_FAILURE_FILE:-}" ] || exit 0
IFS= read -r -d '' -n 65536 value
printf '%s' "$value" 2>/dev/null >"$STOPGATE_FAILURE_FILE"
exit 0
