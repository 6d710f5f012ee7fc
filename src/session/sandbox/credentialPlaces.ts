/** Below the home folder: where programs keep keys, tokens, sessions and typed secrets. Empty inside. */
export const CREDENTIAL_PLACES: readonly string[] = [
  // keys
  ...['.ssh', '.gnupg', '.password-store', '.local/share/keyrings', '.config/sops', '.config/age', '.age', '.putty'],
  // clouds and clusters
  ...[
    '.aws',
    '.azure',
    '.config/gcloud',
    '.boto',
    '.s3cfg',
    '.oci',
    '.kube',
    '.fly',
    '.config/doctl',
    '.config/rclone',
  ],
  ...['.databrickscfg', '.snowflake', '.terraform.d/credentials.tfrc.json', '.terraformrc', '.vault-token'],
  ...['.config/heroku', '.config/vercel', '.local/share/com.vercel.cli', '.config/netlify', '.wrangler', '.docker'],
  // code hosts
  ...['.config/gh', '.config/hub', '.config/glab-cli', '.git-credentials', '.config/git/credentials', '.netrc'],
  ...['.subversion/auth'],
  // registries
  ...['.npmrc', '.yarnrc.yml', '.pypirc', '.cargo/credentials', '.cargo/credentials.toml', '.gem/credentials'],
  ...['.m2/settings.xml', '.m2/settings-security.xml', '.gradle/gradle.properties', '.composer/auth.json'],
  ...['.config/composer/auth.json', '.config/pypoetry/auth.toml', '.nuget/NuGet/NuGet.Config'],
  // databases
  ...['.pgpass', '.my.cnf', '.mylogin.cnf', '.config/mongodb'],
  // models and agents
  ...['.claude/.credentials.json', '.claude/projects', '.claude/history.jsonl', '.claude.json', '.config/anthropic'],
  ...['.codex', '.gemini', '.config/openai', '.cache/huggingface/token', '.huggingface', '.kaggle', '.aider.conf.yml'],
  // password managers, browsers, mail
  ...['.config/op', '.1password', '.config/Bitwarden CLI', '.mozilla', '.config/google-chrome', '.config/chromium'],
  ...['.config/BraveSoftware', '.config/microsoft-edge', '.thunderbird', '.config/Slack', '.config/discord'],
  // what was typed
  ...['.bash_history', '.zsh_history', '.python_history', '.node_repl_history', '.psql_history', '.mysql_history'],
  ...['.local/share/fish/fish_history', '.lesshst', '.viminfo'],
];

/** Secrets of the machine, which matter where Stopgate runs as root. */
export const SYSTEM_SECRETS: readonly string[] = [
  '/etc/shadow',
  '/etc/shadow-',
  '/etc/gshadow',
  '/etc/gshadow-',
  '/etc/sudoers',
  '/etc/sudoers.d',
  '/etc/ssh/ssh_host_rsa_key',
  '/etc/ssh/ssh_host_ecdsa_key',
  '/etc/ssh/ssh_host_ed25519_key',
];

/** Where sockets of other processes are: the session bus, docker, agents, databases. */
export const SOCKET_FOLDERS: readonly string[] = ['/run', '/var/run'];
/** Parts of the system in these folders. */
export const SYSTEM_BELOW_RUN: readonly string[] = ['/run/current-system', '/run/opengl-driver', '/run/wrappers'];
/** Inside, both are the session's own folder. */
export const TEMP_FOLDERS: readonly string[] = ['/tmp', '/var/tmp'];

/** Variables that lead to a process outside. */
export const LEADING_OUT: readonly string[] = [
  'SSH_AUTH_SOCK',
  'SSH_AGENT_PID',
  'GPG_AGENT_INFO',
  'DBUS_SESSION_BUS_ADDRESS',
  'DBUS_SYSTEM_BUS_ADDRESS',
  'XDG_RUNTIME_DIR',
  'DISPLAY',
  'WAYLAND_DISPLAY',
  'XAUTHORITY',
  'DOCKER_HOST',
  'WSL_INTEROP',
  'VSCODE_IPC_HOOK_CLI',
  'VSCODE_GIT_IPC_HANDLE',
  'VSCODE_GIT_IPC_AUTH_TOKEN',
  'GIT_ASKPASS',
  'SSH_ASKPASS',
  'TMUX',
  'STY',
];
