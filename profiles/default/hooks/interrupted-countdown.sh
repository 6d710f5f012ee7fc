#!/bin/bash
# Reports the remaining time to an agent whose last batch of tool calls was interrupted, as a UserPromptSubmit hook.
#
# Claude Code fires no event after a batch that the user interrupts, so the next prompt carries the line. It is missing if
# the transcript has an interruption without a countdown after it.
[ -n "${STOPGATE_BUDGET_END:-}${AUTORESEARCH_BUDGET_END:-}" ] || exit 0

IFS= read -r -t 5 -n 65536 prompt
transcript=${prompt#*'"transcript_path":"'}
[ "$transcript" != "$prompt" ] || exit 0
transcript=${transcript%%'"'*}
[ -r "$transcript" ] || exit 0

last=$(tail -c 262144 "$transcript" | grep -ao '\[Request interrupted by user for tool use\]\|BUDGET: [0-9]\|BUDGET EXPIRED' | tail -n 1)
case $last in
  *interrupted*) exec "${BASH_SOURCE[0]%/*}/budget-countdown.sh" UserPromptSubmit ;;
esac
exit 0
