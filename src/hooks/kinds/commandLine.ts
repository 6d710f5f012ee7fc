import type { BashCommandHook } from '../../schemas/hooks.ts';
import type { PluginPlace } from '../configuredHook.ts';

export interface CommandLine {
  readonly file: string;
  readonly args: readonly string[];
}

export interface CommandPlaces {
  readonly projectDir: string;
  readonly plugin?: PluginPlace;
}

/** What to start for an entry: an executable as it stands, or a shell with the command as its script. */
export function commandLine(settings: BashCommandHook, places: CommandPlaces): CommandLine {
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
  // Node's pipes are sockets, and a bash that finds a socket on stdin takes itself for a remote login: without
  // `--norc` it would run ~/.bashrc first wherever SHLVL is not set, as under cron or systemd
  return { file: 'bash', args: ['--norc', '-c', script] };
}

/**
 * A plugin's placeholder in an entry that no plugin brought names nothing, and an empty path in its place could be any
 * command. Such a hook is not started; the sentence says why.
 */
export function strayPlaceholder({ command, args = [] }: BashCommandHook, plugin?: PluginPlace): string | undefined {
  if (plugin !== undefined) return undefined;
  const [found] = /\$\{CLAUDE_PLUGIN_(?:ROOT|DATA)\}/.exec([command, ...args].join('\n')) ?? [];
  return found && `it names ${found}, which only a plugin's own hooks have; write the path instead`;
}

type Values = Readonly<Record<string, string>>;

function placeholders({ projectDir, plugin }: CommandPlaces): Values {
  return {
    CLAUDE_PROJECT_DIR: projectDir,
    ...(plugin && { CLAUDE_PLUGIN_ROOT: plugin.root, CLAUDE_PLUGIN_DATA: plugin.dataDir }),
  };
}

function fill(text: string, values: Values): string {
  // asked first, because most have none
  if (!text.includes('${')) return text;
  return text.replaceAll(/\$\{([A-Za-z_][\w.]*)\}/g, (whole, name: string) =>
    Object.hasOwn(values, name) ? (values[name] ?? whole) : whole,
  );
}

/**
 * A shell expands `${CLAUDE_PROJECT_DIR}` itself, since it is in the environment. Pasting the path into the script is
 * only done where that cannot change its meaning: a folder called `$(rm -rf ~)` must stay a folder's name.
 */
function onlyPlain(values: Values): Values {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => /^[\w./@:+,=-]+$/.test(value)));
}
