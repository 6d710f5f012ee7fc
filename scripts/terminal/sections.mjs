/**
 * What the document shows, in its order: a title, what to look at, and the facts that must be on each screen, whatever else
 * changes there.
 */
export const SECTIONS = {
  opened: {
    title: 'The session opens',
    look: 'Stopgate names the model, the folder and the session; the footer says whether the project has checks.',
    facts: { stopgate: [/session\s+SESSION/, /default mode.* no checks/], claudeCode: [/Claude Code v/] },
  },
  running: {
    title: 'Stop hooks run',
    look: `The answer stands already. Stopgate has a line for each hook, with its status message or command, its outcome and its time;
Claude Code counts them in the spinner, with the status message of one that still runs.`,
    facts: {
      stopgate: [
        /The invoice adds up now\.[\s\S]*Stop: 2 of 3 done/,
        /… Checking the work · running/,
        /✗ sh tests\.sh · blocked/,
        /\? sh lint\.sh · no verdict/,
        /esc to interrupt/,
      ],
      claudeCode: [/The invoice adds up now\.[\s\S]*Checking the work… 2\/3/, /esc to interrupt/],
    },
  },
  ended: {
    title: 'They have ended: one blocked, one failed',
    look: `\`sh tests.sh\` sent the agent back, \`sh lint.sh\` could not decide. Stopgate uses another symbol, color and sentence for each, and
shows what the model was sent (\`↩\`); Claude Code calls both "Stop hook error".`,
    facts: {
      stopgate: [
        /✗ A Stop hook sent the agent back: sh tests\.sh/,
        /\? A Stop hook gave no verdict and did not count: sh lint\.sh/,
        /↩ \[sh tests\.sh\]: 1 test failed[\s\S]*Now the tests pass too\./,
      ],
      claudeCode: [/Stop hook error: \[sh tests\.sh\]: 1 test failed/, /Stop hook error: Failed with non-blocking/],
    },
  },
  notice: {
    title: 'The notice of a failure',
    look: 'It stands above the input, on the right, until the next prompt.',
    facts: {
      stopgate: [/^ +A Stop hook gave no verdict · ctrl\+o to see$/m],
      claudeCode: [/^ +Stop hook error occurred · ctrl\+o to see$/m],
    },
  },
  whole: {
    title: 'ctrl+o',
    look: 'All of the last turn: each answer with its time and model, each hook with its outcome, time and output.',
    facts: {
      stopgate: [
        /All of the last turn/,
        /✗ Stop hook · sh tests\.sh · blocked · 1s\n +1 test failed/,
        /\? Stop hook · sh lint\.sh · no verdict · 1s\n +no such file: lint\.json/,
        /✓ Stop hook · Checking the work · passed · 1s\n +until/,
      ],
      claudeCode: [/⎿ {2}Checking the work/, /ctrl\+o to toggle/],
    },
  },
  reason: {
    title: 'The reason, as the model gets it',
    look: 'Not a screen: the last message of the next request, which is the same in both.',
    facts: {
      stopgate: [/^Stop hook feedback:\n\[sh tests\.sh\]: 1 test failed$/],
      claudeCode: [/^Stop hook feedback:\n\[sh tests\.sh\]: 1 test failed$/],
    },
  },
  turnEnd: {
    title: 'The end of a turn',
    look: `This project has a check in \`stopgate.config.json\`, which fails at first. Stopgate's last line says why the turn ended and what the
checks proved. Claude Code runs here without Stopgate, and believes the first answer.`,
    facts: {
      stopgate: [
        /Not done yet: 1 of 1 check failed\./,
        /● Bash touch fixed/,
        /⏹ Done\. 1s · checks: ✓ passed \(tests\)/,
        /checks: tests/,
      ],
      claudeCode: [/✻ Worked for 1s/],
    },
  },
  escape: {
    title: 'Esc while Stop hooks run',
    look: 'The hooks are ended, no further request is sent, and the prompt is free.',
    facts: {
      stopgate: [/⏹ Interrupted while Stop hooks were running\./, /\/help ·/, /^(?![\s\S]*\[Request interrupted)/],
      claudeCode: [/Interrupted · What should Claude do instead\?/],
    },
  },
  btw: {
    title: '/btw while a turn runs',
    look: 'An answer beside the conversation. The turn goes on meanwhile, and nothing of it enters the conversation.',
    facts: {
      stopgate: [
        /● Bash until .* · 1s\n\* running tools/,
        /btw: which file has the bug\?\ntotal\.js/,
        /Nothing of this is in the conversation\./,
      ],
      claudeCode: [/\/btw which file has the bug\?[\s\S]*total\.js/],
    },
  },
  modes: {
    title: 'The permission mode',
    look: 'The footer at the start, and after each of three times shift+tab.',
    facts: {
      stopgate: [/^.*default mode.*\n.*acceptEdits mode.*\n.*plan mode.*\n.*default mode.*$/],
      claudeCode: [/manual mode[\s\S]*accept edits[\s\S]*plan mode[\s\S]*auto mode/],
    },
  },
  question: {
    title: 'A permission question',
    look: 'The call, why it needs an answer, and a key for each answer; `s` and `a` name the rule that they add.',
    facts: {
      stopgate: [/May Bash run\?\n +\$ touch made/, /y {2}yes, once/, /a {2}yes, always in this project: Bash\(touch/],
      claudeCode: [/1\. Yes/],
    },
  },
  typing: {
    title: 'Typing while it works',
    look: `"use the other file" was sent with enter, "then write the changelog" with tab in Stopgate and with enter in Claude Code, which has one
way only.`,
    facts: {
      stopgate: [/↳ next step: use the other file\n⧗ after this turn: then write the changelog \(alt\+↑ edits\)/],
      claudeCode: [/❯ use the other file\s+❯ then write the changelog/],
    },
  },
  typed: {
    title: 'What became part of which turn',
    look: `In Stopgate the first steered the running turn at its next step, and the second is a turn of its own. Claude Code gave both to the
model at the next step.`,
    facts: {
      stopgate: [
        /> use the other file\nI have read: the other file\.[\s\S]*⏹ Done[\s\S]*> then write the changelog\nI have read: the changelog\./,
      ],
      claudeCode: [/I have read: the other file and the changelog\./],
    },
  },
};
