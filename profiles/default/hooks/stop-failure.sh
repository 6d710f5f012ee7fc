#!/bin/bash
# Keeps what an API error said, for whoever supervises the agent (STOPGATE_FAILURE_FILE; without it there is nothing to do).
#
# Claude Code does not wait for StopFailure hooks: headless, it is gone some milliseconds later and ends what still runs. So
# this ignores the signals, starts no other program, and leaves the deciding to the supervisor.
trap '' TERM HUP INT
[ -n "${STOPGATE_FAILURE_FILE:-}" ] || exit 0
IFS= read -r -d '' -n 65536 said
printf '%s' "$said" 2>/dev/null >"$STOPGATE_FAILURE_FILE"
exit 0
