import { byProgram } from './sameRow.ts';

/** How a command that runs another command is written: what stands between its name and the other's. */
export interface Wrapper {
  /** Options whose value is the next word. */
  readonly valued?: readonly string[];
  /** Other options it is known to have. After any other, the next word may be that option's value. */
  readonly flags?: readonly string[];
  /** Words before the inner command that are neither options nor part of it: the 5 of `timeout 5`. */
  readonly skips?: number;
  /** `NAME=value` words may come first. */
  readonly assigns?: boolean;
  /** The option whose value is a script: `env -S`, `su -c`. */
  readonly script?: readonly string[];
  /** Changes nothing that a rule is about, so a rule for the inner command covers both. */
  readonly transparent?: boolean;
  /** Its own words are not told apart: any of the first ones may begin the inner command. */
  readonly anywhere?: boolean;
  /** Adds words of its own at the end. */
  readonly appends?: boolean;
  /** Its words with blanks are scripts: `concurrently 'rm x' 'ls'`. */
  readonly texts?: boolean;
  /** Runs on another machine or in a container: what is hidden in there is not held against the line. */
  readonly elsewhere?: boolean;
}

const ANYWHERE: Wrapper = { anywhere: true };
const TEXTS: Wrapper = { anywhere: true, texts: true };
const ELSEWHERE: Wrapper = { anywhere: true, texts: true, elsewhere: true };
const TIMEOUT: Wrapper = { valued: ['-k', '-s', '--kill-after', '--signal'], skips: 1, transparent: true };

export const WRAPPERS = byProgram<Wrapper>({
  env: {
    valued: ['-u', '--unset', '-C', '--chdir'],
    flags: ['-i', '-', '-0', '--null', '-v', '--ignore-environment'],
    script: ['-S', '--split-string'],
    assigns: true,
  },
  sudo: {
    valued: ['-u', '-g', '-h', '-p', '-C', '-D', '-R', '-T', '-U', '-r', '-t', '--user', '--group', '--chdir'],
    flags: ['-n', '-E', '-H', '-S', '-k', '-b', '-A', '-i', '-s', '--'],
    assigns: true,
  },
  doas: { valued: ['-u', '-C'], flags: ['-n', '-s'] },
  pkexec: { valued: ['--user'] },
  su: { valued: ['-s', '--shell', '-g', '-G'], script: ['-c', '--command'], flags: ['-', '-l', '-m', '-p'] },
  runuser: { valued: ['-u', '-s', '-g', '-G'], script: ['-c', '--command'], flags: ['-', '-l'] },
  command: { flags: ['-p', '-v', '-V'], transparent: true },
  builtin: { transparent: true },
  exec: { valued: ['-a'], flags: ['-c', '-l'] },
  nohup: { transparent: true },
  setsid: { flags: ['-c', '-f', '-w', '--fork', '--wait'] },
  time: { valued: ['-f', '-o', '--format', '--output'], flags: ['-p', '-v', '-a'], transparent: true },
  nice: { valued: ['-n', '--adjustment'], transparent: true },
  ionice: { valued: ['-c', '-n', '-p'], flags: ['-t'] },
  timeout: { ...TIMEOUT, flags: ['-v', '--foreground', '--preserve-status', '--verbose'] },
  gtimeout: TIMEOUT,
  stdbuf: { valued: ['-i', '-o', '-e', '--input', '--output', '--error'], transparent: true },
  xargs: {
    valued: ['-I', '-n', '-P', '-L', '-d', '-E', '-s', '-a', '--max-args', '--max-procs', '--delimiter', '--arg-file'],
    flags: ['-0', '-r', '-t', '-x', '-p', '-o', '--null', '--no-run-if-empty', '--verbose'],
    appends: true,
  },
  parallel: { valued: ['-j', '--jobs', '-a', '-N', '--colsep'], appends: true },
  watch: { valued: ['-n', '--interval'], flags: ['-d', '-t', '-b', '-e', '-g', '-c', '-x'] },
  strace: { valued: ['-e', '-o', '-p', '-s', '-u', '-E'], flags: ['-f', '-ff', '-c', '-t', '-v'] },
  ltrace: { valued: ['-e', '-o', '-p', '-s', '-u'], flags: ['-f', '-c'] },
  chroot: { skips: 1 },
  flock: { valued: ['-w', '-E'], script: ['-c', '--command'], flags: ['-n', '-x', '-s', '-u', '-o'], skips: 1 },
  taskset: { skips: 1, flags: ['-a', '-c', '-p'] },
  script: { script: ['-c', '--command'], flags: ['-q', '-e', '-a', '-f'], skips: 1 },
  'setarch linux32 linux64 i386 x86_64 fakeroot chrt setpriv prlimit dbus-run-session dbus-launch': ANYWHERE,
  'ld.so numactl proot valgrind perf uvx corepack dotenv dotenv-cli shx': ANYWHERE,
  'gnome-terminal capsh concurrently nodemon just nix-shell tmux screen': TEXTS,
  'vagrant ssh mosh': ELSEWHERE,
  'bunx unshare busybox toybox chronic unbuffer': {},
  sg: { script: ['-c'], skips: 1, flags: ['-'] },
  entr: { script: ['-s'], flags: ['-a', '-c', '-d', '-n', '-p', '-r', '-x', '-z'] },
  npx: {
    valued: ['-p', '--package', '-w', '--workspace'],
    script: ['-c', '--call'],
    flags: ['-y', '--yes', '--no', '--no-install', '-q', '--quiet'],
  },
  nsenter: { valued: ['-t', '--target'] },
  caffeinate: { valued: ['-t', '-w'], flags: ['-i', '-d', '-s', '-m', '-u'] },
  'systemd-run': { valued: ['-p', '--property', '--unit', '-u'] },
});

/** Commands of a tool after which a command of its own stands: `uv run rm`. */
export const RUNNERS = byProgram<readonly string[]>({
  'asdf direnv fnm ip nvm bundle': ['exec'],
  'conda hatch mamba pdm rye volta uv poetry pipenv': ['run'],
  'mise rtx npm': ['exec', 'x'],
  nix: ['run', 'develop', 'shell'],
  pnpm: ['exec', 'dlx'],
  yarn: ['exec', 'dlx', 'run'],
});

/** The same for containers and other machines. */
export const REMOTE_RUNNERS = byProgram<readonly string[]>({
  'docker docker-compose nerdctl podman': ['exec', 'run'],
  'incus lxc': ['exec'],
  kubectl: ['exec', 'run', 'debug'],
  oc: ['exec', 'run', 'rsh'],
});

/** Options of these after which the words differ too much to be told apart. */
export const ANY_PLACE: Wrapper = { ...ANYWHERE, script: ['-c', '--call', '--command'] };
export const REMOTE: Wrapper = ELSEWHERE;

export const SHELLS = new Set(['bash', 'sh', 'zsh', 'dash', 'ksh', 'mksh', 'ash', 'fish', 'rbash']);

/** `find -exec rm {} \;` and its sisters: the option, after which a command stands up to `;` or `+`. */
export const EXEC_OPTIONS = byProgram<readonly string[]>({
  'find gfind': ['-exec', '-execdir', '-ok', '-okdir'],
  'fd fdfind': ['-x', '-X', '--exec', '--exec-batch'],
});
