#!/bin/bash
# Keeps an agent from changing what decides when it may stop, as a PreToolUse hook: Stopgate's configuration and home, and the
# settings that hold the host's hooks.
#
# Node starts only when a call could name one of them. Otherwise this decides alone, without a fork. $1 is the Node to use, $2 the
# script for it, the rest its options. When anything is missing, it prints nothing and succeeds: the definition of done is frozen
# anyway.

node=${1:-node}
hook=${2:-${BASH_SOURCE[0]%/*}/../../../dist/hook.cjs}
[ -r "$hook" ] || exit 0

# Bash reads no more bytes from a pipe than it needs, so the rest is left for Node.
LC_ALL=C
IFS= read -r -t 5 -n 4096 call
input=${call#*'"tool_input":'}
case ${#call} in
4096)
  # an edit is judged by its path; a longer command has to be read to its end
  [ "$input" != "$call" ] && case $input in
    *'"command":'*) false ;;
    *'"file_path":"'*) input=${input#*'"file_path":"'} ;;
    # Copilot CLI's name for it
    *'"path":"'*'"path":"'*) false ;;
    *'"path":"'*) input=${input#*'"path":"'} ;;
    *) false ;;
  esac || exec "$node" "$hook" guard "${@:3}" < <(printf '%s' "$call" && exec cat)
  # a quote in the path would end it too early
  case ${input%%'"'*} in *\\*) ;; *) input=${input%%'"'*} ;; esac
  ;;
esac

# wildcards, a home folder and a working folder can name one of them without its name
cwd=${call#*'"cwd":"'}
cwd=${cwd%%'"'*}
home=${STOPGATE_HOME:-stopgate}
case $input$cwd in
*'*'* | *'?'* | *'['* | *'~'* | *HOME* | *config* | *'git reset'* | *'git checkout'* | *'git clean'*) ;;
*stopgate* | *"$home"* | *.claude* | *.codex* | *.gemini* | *.qwen* | *.cursor* | *.copilot* | *opencode* | *.pi/* | *.pi' '* | *.pi'"'* | *.github* | *settings*) ;;
# not `process.env`
*[\ /\'\"\>=].env* | *' ..'*) ;;
*) exit 0 ;;
esac
command -v "$node" >/dev/null || exit 0
if [ ${#call} -lt 4096 ]; then exec "$node" "$hook" guard "${@:3}" <<<"$call"; fi
exec "$node" "$hook" guard "${@:3}" < <(printf '%s' "$call" && exec cat)
