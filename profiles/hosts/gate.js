/*
 * What the plugins of all hosts share: they start `stopgate hook` at a host's events, with what other hosts send to hooks. A
 * plugin is one file: src/hosts/pluginFile.ts puts these texts together. It must never fail into its host.
 */
import { spawn, spawnSync } from 'node:child_process';
import { appendFileSync, existsSync, lstatSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** Claude Code's names, which Stopgate goes by; any other tool keeps its own. */
const TOOLS = {
  bash: 'Bash',
  edit: 'Edit',
  multiedit: 'Edit',
  patch: 'Edit',
  apply_patch: 'Edit',
  write: 'Write',
  read: 'Read',
  grep: 'Grep',
  glob: 'Glob',
  find: 'Glob',
  list: 'LS',
  ls: 'LS',
  todowrite: 'TodoWrite',
  todoread: 'TodoWrite',
};

/** A call with the fields that decide about it; the text of an edit is not among them. */
function toolCall(name, args, millisecondsOf) {
  const { command, timeout, workdir, patchText, patch } = args ?? {};
  const file = args?.filePath ?? args?.file_path ?? args?.path;
  const text = typeof patchText === 'string' ? patchText : patch;
  const files = typeof text === 'string' ? [...text.matchAll(PATCHED)].map(([, one]) => one) : [];
  const input = {
    ...(typeof file === 'string' && { file_path: file }),
    ...(files.length > 0 && { file_paths: files }),
    ...(typeof command === 'string' && { command }),
    ...(typeof timeout === 'number' && { timeout: timeout * millisecondsOf }),
  };
  return { tool: Object.hasOwn(TOOLS, name) ? TOOLS[name] : name, input, workdir };
}

const PATCHED = /^\*\*\* (?:(?:Add|Update|Delete) File|Move to): (.+)$/gm;

/** What Stopgate calls the errors of a provider, by its words; the first one that applies. */
const FAILURES = [
  [/\b429\b|rate.?limit|usage limit|too many requests/i, 'rate_limit'],
  [/\b402\b|billing|quota|insufficient|credit/i, 'billing_error'],
  [/\b40[13]\b|unauthorized|forbidden|api key|authenticat|log ?in/i, 'authentication_failed'],
  [/\b(?:503|529)\b|overload|capacity|high demand/i, 'overloaded'],
  [/\b5\d\d\b|server error|unavailable/i, 'server_error'],
];

/** A status at the beginning says more than any word after it. */
function failureOf(text) {
  const status = /^\D{0,20}\b[45]\d\d\b/.exec(text)?.[0] ?? text;
  return [status, text].flatMap((one) => FAILURES.find(([words]) => words.test(one))?.[1] ?? [])[0];
}

/** Whether a definition of done applies to a folder: the same places as src/stop/checks/findConfig.ts. */
function hasConfig(folder) {
  for (let at = path.resolve(folder); ; at = path.dirname(at)) {
    if (lstatSync(path.join(at, 'stopgate.config.json'), { throwIfNoEntry: false })) return true;
    if (existsSync(path.join(at, '.git')) || path.dirname(at) === at) return false;
  }
}

/** The script or the event that a command runs. */
const nameOf = (command) => /\/([\w-]+\.sh)"/.exec(command)?.[1] ?? / hook ([\w-]+)/.exec(command)?.[1] ?? command;

const CLAIMS = Symbol.for('stopgate.hooks');

/** Without hooks that another file of ours runs in this process: a launch adds its file beside that of `init`. */
function unclaimed(hooks, folder, file) {
  globalThis[CLAIMS] ??= new Map();
  const claims = globalThis[CLAIMS];
  return hooks.filter(({ event, command }) => {
    const key = JSON.stringify([folder, event, nameOf(command)]);
    if (!claims.has(key)) claims.set(key, file);
    return claims.get(key) === file;
  });
}

const isHeadless = () => !process.stdout.isTTY;

/** In a terminal it would be written over the host's own screen. */
function say(text) {
  if (isHeadless() && text.trim() !== '') process.stderr.write(`${text.trimEnd()}\n`);
}

function answerIn(stdout) {
  try {
    return JSON.parse(stdout || '{}') ?? {};
  } catch {
    return {};
  }
}

const LATE_MS = 5_000;

/** Hooks that run now. */
const children = new Set();

function endChildren(session) {
  for (const one of children) if (session === undefined || one.session === session) one.child.kill('SIGTERM');
}

let endsWithHost = false;

function noteChild(child) {
  children.add(child);
  if (!endsWithHost) process.once('exit', () => endChildren());
  endsWithHost = true;
}

/** Runs commands in a folder. */
function hookRunner(folder) {
  const failed = (command, why) => {
    say(
      `stopgate: ${nameOf(command)} failed (${why}): nothing was decided; run \`stopgate init\` again if Stopgate moved.`,
    );
    return {};
  };
  const run = ({ command, timeout }, payload, cwd = folder) =>
    new Promise((resolve) => {
      // `exec`: a signal must reach the hook, not its shell
      const child = spawn('sh', ['-c', `exec ${command}`], { cwd, stdio: ['pipe', 'pipe', 'pipe'] });
      const running = { child, session: payload.session_id };
      const late = setTimeout(() => child.kill('SIGKILL'), timeout * 1000 + LATE_MS);
      let [stdout, stderr] = ['', ''];
      child.stdout.on('data', (chunk) => (stdout += chunk));
      child.stderr.on('data', (chunk) => (stderr += chunk));
      child.stdin.on('error', () => {});
      const done = (answer) => {
        clearTimeout(late);
        children.delete(running);
        say(stderr);
        resolve(answer);
      };
      noteChild(running);
      child.on('error', ({ message }) => done(failed(command, message)));
      child.on('close', (code, signal) =>
        done(code === 0 || signal === 'SIGTERM' ? answerIn(stdout) : failed(command, signal ?? `exit code ${code}`)),
      );
      child.stdin.end(`${JSON.stringify(payload)}\n`);
    });
  /** For a host that does not wait: it does nothing else meanwhile. */
  const runNow = ({ command, timeout }, payload) => {
    const options = { cwd: folder, input: `${JSON.stringify(payload)}\n`, timeout: timeout * 1000 + LATE_MS };
    const { status, stdout, stderr, error } = spawnSync('sh', ['-c', `exec ${command}`], {
      ...options,
      encoding: 'utf8',
    });
    say(stderr ?? '');
    return status === 0 ? answerIn(stdout) : failed(command, error?.message ?? `exit code ${status}`);
  };
  return { run, runNow };
}

/** By this file the agent's supervisor knows that a tool runs: src/stop/activity.ts. */
function markActivity(mark) {
  const file = process.env.STOPGATE_ACTIVITY_FILE;
  try {
    if (file) appendFileSync(file, mark);
  } catch {
    // no hook may fail because of this file
  }
}

const hasBudget = () => Boolean(process.env.STOPGATE_BUDGET_END || process.env.AUTORESEARCH_BUDGET_END);

/** Events in the form of Claude Code's, which all hosts share. */
function payloadsOf(host, folder) {
  const payloadOf = (session, event, fields = {}) => ({
    plugin_host: host,
    session_id: session,
    cwd: folder,
    hook_event_name: event,
    ...fields,
  });
  return {
    begin: (session, source) => payloadOf(session, 'SessionStart', { source }),
    call: (session, event, { tool, input, workdir }) => {
      const cwd = typeof workdir === 'string' ? path.resolve(folder, workdir) : folder;
      return { ...payloadOf(session, event), cwd, tool_name: tool, tool_input: input };
    },
    stop: (session, { answer, isPlanning = false }) =>
      payloadOf(session, 'Stop', {
        stop_hook_active: false,
        ...(answer && { last_assistant_message: answer }),
        ...(isPlanning && { permission_mode: 'plan' }),
      }),
  };
}

/** The gate of one folder, for the plugin of one host. */
export function createGate({ host, hooks, folder, file, millisecondsOf = 1 }) {
  const own = unclaimed(hooks, folder, file);
  const { run, runNow } = hookRunner(folder);
  const begun = new Set();
  const of = (event) => own.filter((hook) => hook.event === event);
  const payloads = payloadsOf(host, folder);
  let wasGated = false;
  const isGated = () => {
    if (process.env.STOPGATE_OFF === '1') return false;
    wasGated ||= Boolean(process.env.STOPGATE_WORKER) || hasConfig(folder);
    return wasGated;
  };
  /** Without a budget or a gate no process starts at a tool call. */
  const isNeeded = ({ command, matcher = '*' }, { tool }) => {
    const isGuard = nameOf(command) === 'gate-guard.sh';
    return (isGuard ? isGated() : hasBudget()) && (matcher === '*' || matcher.split('|').includes(tool));
  };
  const blocked = (answer) => (answer.decision === 'block' ? String(answer.reason ?? '') : null);
  return {
    /** Ends the hooks of one session, or of all. */
    end: endChildren,
    /** Whether a stop is to be decided. */
    holdsStops: () => of('Stop').length > 0 && isGated(),
    /** Once for each session; a text for the model of a session that is resumed, or null. */
    async begin(session, source) {
      if (begun.has(session)) return null;
      begun.add(session);
      const texts = [];
      for (const hook of of('SessionStart')) {
        const answer = await run(hook, payloads.begin(session, source));
        texts.push(answer.hookSpecificOutput?.additionalContext ?? '');
      }
      return texts.find((text) => text !== '') ?? null;
    },
    /** Why a call may not run, or null. */
    async before(session, name, args) {
      const call = toolCall(name, args, millisecondsOf);
      if (!hasBudget()) markActivity('s');
      for (const hook of of('PreToolUse').filter((one) => isNeeded(one, call))) {
        const { hookSpecificOutput: said } = await run(hook, payloads.call(session, 'PreToolUse', call));
        if (said?.permissionDecision === 'deny') return String(said.permissionDecisionReason ?? 'denied');
      }
      return null;
    },
    /** A text for the model, or null. */
    async after(session, name, args) {
      if (!hasBudget()) {
        markActivity('e');
        return null;
      }
      for (const hook of of('PostToolUse')) {
        const call = toolCall(name, args, millisecondsOf);
        const { hookSpecificOutput: said } = await run(hook, payloads.call(session, 'PostToolUse', call));
        if (said?.additionalContext) return said.additionalContext;
      }
      return null;
    },
    failedCall: () => markActivity('e'),
    /** Why the agent may not stop, or null. */
    async stop(session, facts) {
      const [hook] = of('Stop');
      return hook ? blocked(await run(hook, payloads.stop(session, facts))) : null;
    },
    stopNow(session, facts) {
      const [hook] = of('Stop');
      return hook ? blocked(runNow(hook, payloads.stop(session, facts))) : null;
    },
    /** Reports an error of the provider to the launch or the worker; false without one. */
    failed(message) {
      const { STOPGATE_FAILURE_FILE: place, STOPGATE_LAUNCH_ID: launch } = process.env;
      if ((!place && !launch) || !isHeadless()) return false;
      say(`stopgate: ${host} failed: ${message}`);
      const failure = { error: failureOf(message) ?? 'unknown', error_details: '', last_assistant_message: message };
      if (place) writeFileSync(place, JSON.stringify(failure));
      return true;
    },
  };
}
