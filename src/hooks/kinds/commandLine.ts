import type { BashCommandHook } from '../../schemas/hooks.ts';
import type { ProcessSpec } from '../../system/processes.ts';
import type { PluginPlace } from '../configuredHook.ts';
import type { HookPlaces } from '../kind.ts';

/** What to start for an entry: an executable, or a shell with the command as its script. */
export function commandLine(settings: BashCommandHook, places: HookPlaces): Pick<ProcessSpec, 'file' | 'args'> {
  const values = placeholders(places);
  const { args, command, shell } = settings;
  if (args !== undefined) {
    const options = Object.entries(places.plugin?.options ?? {}).map(([name, value]) => [`user_config.${name}`, value]);
    const all = { ...values, ...Object.fromEntries(options) };
    return { file: fill(command, all), args: args.map((arg) => fill(arg, all)) };
  }
  if (shell === 'powershell') {
    return { file: 'pwsh', args: ['-NoProfile', '-NonInteractive', '-Command', fill(command, values)] };
  }
  const script = command.includes('${') ? fill(command, onlyPlain(values)) : command;
  if (shell !== 'bash') return { file: '/bin/sh', args: ['-c', script] };
  // Node's pipes are sockets, which bash takes for a remote login: without `--norc` it would run ~/.bashrc where SHLVL
  // is not set, as under cron or systemd
  return { file: 'bash', args: ['--norc', '-c', script] };
}

/**
 * Why an entry outside a plugin with a plugin's placeholder is not started: an empty path in its place could be any
 * command.
 */
export function strayPlaceholder({ command, args = [] }: BashCommandHook, plugin?: PluginPlace): string | undefined {
  if (plugin !== undefined) return undefined;
  const [found] = /\$\{CLAUDE_PLUGIN_(?:ROOT|DATA)\}/.exec([command, ...args].join('\n')) ?? [];
  return found && `it names ${found}, which only a plugin's own hooks have; write the path instead`;
}

type Values = Readonly<Record<string, string>>;

function placeholders({ projectDir, plugin }: HookPlaces): Values {
  return {
    CLAUDE_PROJECT_DIR: projectDir,
    ...(plugin && { CLAUDE_PLUGIN_ROOT: plugin.root, CLAUDE_PLUGIN_DATA: plugin.dataDir }),
  };
}

function fill(text: string, values: Values): string {
  // checked first, because most have none
  if (!text.includes('${')) return text;
  return text.replaceAll(/\$\{([A-Za-z_][\w.]*)\}/g, (whole, name: string) =>
    Object.hasOwn(values, name) ? (values[name] ?? whole) : whole,
  );
}

/** A shell expands the others itself, from the environment: a folder called `$(rm -rf ~)` must stay a folder's name. */
function onlyPlain(values: Values): Values {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => /^[\w./@:+,=-]+$/.test(value)));
}
