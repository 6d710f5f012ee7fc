#!/bin/bash
# An agent of the fault runs: works as long as the title of its task says (`work 300`: 300 ms) and writes what it does, and when,
# into the journal of its machine. It starts no other process for that, except git where GIT_WORK is set.
exec 9<> "$PAUSE"
note() {
  local up _
  # by the clock of the machine since its start: no test sets that one
  read -r up _ < /proc/uptime
  printf '{"op":"%s","machine":"%s","taskId":"%s","epoch":%s,"attemptId":"%s","at":%s0%s}\n' "$1" "$MACHINE" "$STOPGATE_TASK_ID" \
    "$STOPGATE_TASK_EPOCH" "$STOPGATE_ATTEMPT_ID" "${up/./}" "${2:-}" >> "$JOURNAL"
}
trap 'note agentStopped; exit 130' INT TERM HUP
note agentStarted
[[ ${!#} =~ work\ ([0-9]+) ]]
for ((left = ${BASH_REMATCH[1]:-0}; left > 0; left -= 50)); do
  read -rt 0.05 -u 9
  note agentSeen
done
if [[ $GIT_WORK ]]; then
  git commit -q --allow-empty -m "Work on task $STOPGATE_TASK_ID" || exit 1
  branch=$(git symbolic-ref --short HEAD)
  commit=$(git rev-parse HEAD)
  # as long as the way to the remote is cut
  until timeout 5 git push -q origin "HEAD:refs/heads/$branch"; do read -rt 0.5 -u 9; note agentSeen; done
  note pushed ",\"branch\":\"$branch\",\"commit\":\"$commit\""
fi
# from here on it is done
trap '' INT TERM HUP
note agentFinished
exit 0
