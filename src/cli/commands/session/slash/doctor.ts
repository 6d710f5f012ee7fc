import { version } from '../../../../system/version.ts';
import { countHooks, countText, listHooks } from '../../hooks/list/listedHooks.ts';
import type { SessionControls } from '../sessionControls.ts';

/** What works here and what does not, and why: the same facts that the session runs with. */
export function showDoctor(session: SessionControls): void {
  const { opened, paint, choices } = session;
  const { gathered, armed, mcpServers } = opened;
  const { hooks, settings, sandbox, trust } = gathered;
  const list = listHooks(hooks, settings.merged.hooks);
  const off = list.hooks.flatMap(({ hook, whyNot }) =>
    whyNot === null ? [] : [`${hook.event} ${hook.label}: ${whyNot}`],
  );
  const broken = list.broken.map(
    ({ file, line, problems }) => `${file}${line === undefined ? '' : `:${line}`}: ${problems.join('; ')}`,
  );
  const row = (isFine: boolean, name: string, text: string) =>
    `${isFine ? paint('green', '✓') : paint('yellow', '!')} ${name}: ${text}`;
  session.print([
    row(true, 'Stopgate', `${version} on Node ${process.versions.node}`),
    row(true, 'Model', `${choices.model?.id ?? 'unknown'}, key from ${choices.model?.keySource ?? 'none'}`),
    row(trust.level !== 'none' || off.length === 0, 'Trust', TRUST[trust.level]),
    row(armed.checks.length > 0, 'Checks', armed.sentence ?? 'none: this project has no stopgate.config.json'),
    row(off.length + broken.length === 0, 'Hooks', countText(countHooks(list))),
    ...[...off, ...broken].map((why) => paint('yellow', `    ${why}`)),
    ...mcpServers.map(({ name, status }) => row(status === 'connected', `MCP server ${name}`, status)),
    row(
      sandbox !== undefined,
      'Sandbox',
      sandbox === undefined ? 'off ("sandbox": {"enabled": true} switches it on)' : 'on',
    ),
    ...opened.warnings.map((warning) => row(false, 'Warning', warning)),
  ]);
}

const TRUST = {
  run: 'this project, for this run (--trust-project)',
  content: 'what you approved of this project (/trust)',
  path: 'given by an older version, nothing runs: /trust approves it anew',
  none: 'this project is not trusted: /trust shows what it wants to switch on',
} as const;
