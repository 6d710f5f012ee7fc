import { describe, expect, it } from 'vitest';
import {
  type ChildKind,
  environmentFor,
  isSecret,
  mergedEnvironment,
  namesIn,
  passwordsIn,
  secretValues,
  withheldFrom,
} from './secretPolicy.ts';

const VALUE = 'correct horse battery';

describe('a variable is a secret by its name', () => {
  it.each(
    `ANTHROPIC_API_KEY ANTHROPIC_AUTH_TOKEN ANTHROPIC_CUSTOM_HEADERS OPENAI_API_KEY OPENAI_API_KEY_2 OPENAI_COMPATIBLE_API_KEY
    GOOGLE_GENERATIVE_AI_API_KEY GEMINI_API_KEY GOOGLE_API_KEY CLAUDE_CODE_OAUTH_TOKEN AWS_BEARER_TOKEN_BEDROCK AZURE_OPENAI_API_KEY
    OPENROUTER_API_KEY MISTRAL_API_KEY XAI_API_KEY GROQ_API_KEY DEEPSEEK_API_KEY
    GITHUB_TOKEN GH_TOKEN GITHUB_PAT GH_PAT GITLAB_PRIVATE_TOKEN CI_JOB_TOKEN NPM_TOKEN NODE_AUTH_TOKEN HF_TOKEN HUGGING_FACE_HUB_TOKEN
    AWS_SECRET_ACCESS_KEY AWS_ACCESS_KEY_ID AWS_SESSION_TOKEN AZURE_CLIENT_SECRET GOOGLE_APPLICATION_CREDENTIALS
    DB_PASSWORD PGPASSWORD MYSQL_PWD SMTP_PASS REDIS_PASSWD GPG_PASSPHRASE SSHPASS RESTIC_PASSWORD SSH_PRIVATE_KEY DEPLOY_KEY
    SECRET MY_SECRETS SECRET_KEY_BASE clientSecret TOKEN token TOKEN_GITHUB BOT_TOKEN_PROD SIGNING_KEY SIGNING_KEY_2 API_KEY_PROD
    apiKey APIKEY SENTRY_DSN SESSION_JWT NPM_CONFIG__AUTH npm_config__authToken NPM_CONFIG_//registry.example/:_authToken
    COMPOSER_AUTH DOCKER_AUTH_CONFIG AZURE_STORAGE_CONNECTION_STRING OTEL_EXPORTER_OTLP_HEADERS SLACK_WEBHOOK API_TOKENS
    DATABASE_PASSWORD_FILE CARGO_REGISTRY_TOKEN TWINE_PASSWORD VAULT_TOKEN DIGITALOCEAN_ACCESS_TOKEN FASTLANE_SESSION_COOKIE
    STOPGATE_API_KEY STOPGATE_X_TOKEN STOPGATE_STORE_PASSWORD SYSTEM_ACCESSTOKEN BW_SESSION OP_SESSION_my OP_SESSION DBPASS LDAP_BIND_PW
    CREDS GCP_CREDS AUTH_HEADER WIFI_PSK SEED_PHRASE TOTP_SEED WALLET_PK KUBECONFIG_DATA NETRC SUPABASE_ANON TWILIO_SID
    ACTIONS_ID_TOKEN_REQUEST_TOKEN ACTIONS_RUNTIME_TOKEN LD_SDK_KEY GPG_PIN CARD_PASSCODE NPM_OTP WALLET_MNEMONIC`
      .trim()
      .split(/\s+/),
  )('%s', (name) => expect(isSecret(name, VALUE)).toBe(true));
});

describe('a variable is not a secret', () => {
  it.each([
    ['PATH', '/usr/bin'],
    ['HOME', '/home/me'],
    ['PWD', '/work'],
    ['OLDPWD', '/work'],
    ['PROJECT_PWD', '/work'],
    ['TOKENIZERS_PARALLELISM', 'false'],
    ['MAX_TOKENS', '4096'],
    ['CLAUDE_CODE_MAX_OUTPUT_TOKENS', '32000'],
    ['STOPGATE_BACKGROUND_MAX_TOKENS', '200k'],
    ['LLM_TOKEN_LIMIT', '100000'],
    ['TOKEN_BUDGET', '2k'],
    ['OAUTH_TOKEN_URL', 'https://id.example/token'],
    ['AWS_WEB_IDENTITY_TOKEN_FILE', '/var/run/token'],
    ['CLAUDE_CODE_API_KEY_HELPER_TTL_MS', '60000'],
    ['PASSWORD_MIN_LENGTH', '12'],
    ['KEYBOARD_LAYOUT', 'us'],
    ['KEYMAP', 'us'],
    ['SSH_PUBLIC_KEY', 'ssh-ed25519 AAAA me@host'],
    ['STRIPE_PUBLISHABLE_KEY', 'publishable'],
    ['CACHE_KEY', 'v1-linux'],
    ['GIT_CONFIG_KEY_0', 'core.excludesFile'],
    ['GIT_CONFIG_VALUE_0', '/home/me/ignore'],
    ['GIT_ASKPASS', '/usr/bin/askpass'],
    ['SSH_ASKPASS', '/usr/bin/askpass'],
    ['SSH_AUTH_SOCK', '/run/user/1000/agent'],
    ['GPG_AGENT_INFO', '/run/gpg'],
    ['XAUTHORITY', '/home/me/.Xauthority'],
    ['AUTHOR', 'me'],
    ['GIT_AUTHOR_NAME', 'me'],
    ['PASSENGER_APP_ENV', 'production'],
    ['COMPASS', 'north'],
    ['MONKEY', 'see'],
    ['PATTERN', 'a*b'],
    ['STOPGATE_PASS_ENV', 'GITHUB_TOKEN'],
    ['STOPGATE_BACKGROUND_MAX_TOKENS', 'plenty'],
    ['STOPGATE_SESSION_MARK', 'abcdef'],
    ['SECRETS_DIR_MODE', '0700'],
    ['RANDOM_SEED', '42'],
    ['DESKTOP_SESSION', 'plasma'],
    ['XDG_SESSION_ID', '3'],
    ['KUBECONFIG', '/home/me/.kube/config'],
    ['PKG_CONFIG_PATH', '/usr/lib/pkgconfig'],
    ['TABLE_PK', 'id'],
    ['CREDIT', 'me'],
    ['PWNED', 'no one'],
    ['BUNDLE_PATH', 'vendor/bundle'],
    ['BUNDLE_MIRROR__ALL', 'https://gems.example'],
    ['PIP_INDEX_URL', 'https://pypi.example/simple'],
    ['MODE', 'basic authentication'],
    ['RATIO', '12345678:9'],
    ['GIT_REMOTE', 'https://alice@git.example/x'],
    ['STOPGATE_STORE', 'postgres://me@host/tasks'],
    ['STOPGATE_STORE', '/home/me/tasks.db'],
    ['DATABASE_URL', 'postgres://me@host/db?sslmode=require'],
    ['HTTPS_PROXY', 'http://proxy.example:3128'],
    ['ANTHROPIC_BASE_URL', 'https://gateway.example/v1'],
    ['USE_SECRET', 'true'],
    ['GITHUB_TOKEN', ''],
    ['LS_COLORS', 'rs=0:di=01;34:ln=01;36'],
    ['NODE_OPTIONS', '--max-old-space-size=4096'],
    ['GREETING', 'at 12:30 write to me@example.org'],
    ['REMOTE', 'ssh://git@host:22/path'],
    ['REGISTRY', 'https://npm.example:8080/@scope/pkg'],
  ])('%s=%s', (name, value) => expect(isSecret(name, value)).toBe(false));
});

describe('a variable is a secret by what it holds', () => {
  it.each([
    ['STOPGATE_STORE', 'postgres://me:word@host/tasks'],
    ['STOPGATE_STORE', 'postgresql://host/tasks?user=me&password=word'],
    ['DATABASE_URL', 'mysql://root:word@127.0.0.1:3306/app'],
    ['CELERY_BROKER', 'redis://:word@host:6379/0'],
    ['HTTPS_PROXY', 'http://me:word@proxy.example:3128'],
    ['PIP_INDEX_URL', 'https://me:word@pypi.example/simple'],
    ['BASE64', 'amqp://me:wo/rd+x=@host/'],
    ['GO', 'me:word@tcp(127.0.0.1:3306)/app'],
    ['CONN', 'host=db user=me password=word'],
    ['STORAGE', 'DefaultEndpointsProtocol=https;AccountName=a;AccountKey=abcdef=='],
    ['GIT_CONFIG_VALUE_0', 'AUTHORIZATION: basic eDp0b2tlbg=='],
    ['GIT_CONFIG_PARAMETERS', "'http.extraheader=Authorization: Basic eDp0b2tlbg=='"],
    ['CURL_ARGS', '-H "x-api-key: abc"'],
    ['WHO', 'ghp_abcdefghijklmnopqrstuvwxyz0123456789'],
    ['MINE', 'sk-ant-api03-abcdefghijklmnopqrstuvwx'],
    ['BUNDLE_GEMS__EXAMPLE__COM', 'user:word'],
    ['PIP_EXTRA_INDEX_URL', 'https://TOKEN@pypi.example/simple'],
    ['MIRROR', 'https://0123456789abcdef0123@host/simple'],
    ['HEADER', 'Basic dXNlcjp3b3Jk'],
    ['BOT', '123456789:AAabcdefghijklmnopqrstuvwxyz0123456'],
    ['CERT', '-----BEGIN RSA PRIVATE KEY-----\nMIIE'],
    ['REGISTRY', '{"auths":{"ghcr.io":{"auth":"bWU6dG9rZW4="}}}'],
    ['NOTIFY', 'https://hooks.slack.com/services/T0/B0/abc'],
  ])('%s=%s', (name, value) => expect(isSecret(name, value)).toBe(true));

  it('takes no longer for a hostile value than for a plain one', () => {
    const hostile = [
      'a:'.repeat(60_000),
      `a://${':'.repeat(120_000)}`,
      'eyJ'.repeat(40_000),
      ' '.repeat(120_000),
      'a://b:'.repeat(20_000),
    ];
    const startedAt = performance.now();
    for (const value of hostile) isSecret('PLAIN', value);
    expect(performance.now() - startedAt).toBeLessThan(2_000);
  });
});

const env = {
  PATH: '/bin',
  ANTHROPIC_API_KEY: VALUE,
  OPENAI_API_KEY: VALUE,
  GITHUB_TOKEN: VALUE,
  AWS_SECRET_ACCESS_KEY: VALUE,
  DATABASE_URL: 'postgres://me:word@host/db',
  HTTPS_PROXY: 'http://me:word@proxy:3128',
};
const secrets = Object.keys(env).slice(1);

describe('a child', () => {
  it.each<[ChildKind, readonly string[]]>([
    ['command', []],
    ['hook', []],
    ['mcpServer', []],
    ['helper', []],
    ['launched', secrets],
    ['stopgateAgent', secrets],
    ['claudeAgent', ['ANTHROPIC_API_KEY', 'HTTPS_PROXY']],
    ['otherAgent', ['ANTHROPIC_API_KEY', 'OPENAI_API_KEY', 'HTTPS_PROXY']],
  ])('of kind %s gets of the secrets %j', (kind, gets) => {
    expect(Object.keys(environmentFor(kind, env))).toEqual(['PATH', ...gets]);
    expect([...withheldFrom(kind, env)]).toEqual(secrets.filter((name) => !gets.includes(name)));
  });

  it('that is Claude Code gets the credentials of the cloud that serves its models', () => {
    const gets = (more: object) => environmentFor('claudeAgent', { ...env, ...more }).AWS_SECRET_ACCESS_KEY;
    expect(gets({ CLAUDE_CODE_USE_BEDROCK: '1' })).toBe(VALUE);
    expect(gets({ CLAUDE_CODE_USE_BEDROCK: '0' })).toBeUndefined();
    expect(gets({ CLAUDE_CODE_USE_VERTEX: '1' })).toBeUndefined();
  });

  it.each([
    ['GITHUB_TOKEN', ['GITHUB_TOKEN']],
    [' GITHUB_TOKEN , OPENAI_API_KEY ', ['OPENAI_API_KEY', 'GITHUB_TOKEN']],
    ['AWS_*', ['AWS_SECRET_ACCESS_KEY']],
    ['*_API_KEY', ['ANTHROPIC_API_KEY', 'OPENAI_API_KEY']],
    ['github_token', []],
    ['GITHUB', []],
    ['.*', []],
    ['*', secrets],
    ['', []],
    [',', []],
  ])('gets what STOPGATE_PASS_ENV=%s names', (pass, gets) => {
    const passed = environmentFor('command', { ...env, STOPGATE_PASS_ENV: pass });
    expect(Object.keys(passed)).toEqual(['PATH', ...gets, 'STOPGATE_PASS_ENV']);
  });

  it('keeps numbered settings of git in step', () => {
    const git = { GIT_CONFIG_COUNT: '1', GIT_CONFIG_KEY_0: 'http.extraheader', GIT_CONFIG_VALUE_0: 'Authorization: x' };
    expect(environmentFor('command', git)).toEqual({ ...git, GIT_CONFIG_VALUE_0: '' });
  });
});

describe('the address of the store', () => {
  it.each([
    ['postgres://me:word@host:5433/tasks', 'postgres://me@host:5433/tasks'],
    ['postgres://me:wo/rd@host/tasks?sslmode=require', 'postgres://me@host/tasks?sslmode=require'],
    ['postgresql://host/t?password=word&sslmode=require', 'postgresql://host/t?sslmode=require'],
    ['postgresql://host/t?sslmode=require&sslpassword=word', 'postgresql://host/t?sslmode=require&'],
  ])('%s loses only its password', (address, left) => {
    expect(environmentFor('command', { STOPGATE_STORE: address })).toEqual({ STOPGATE_STORE: left });
    expect(isSecret('STOPGATE_STORE', left)).toBe(false);
  });

  it('is whole where it is granted', () => {
    const store = { STOPGATE_STORE: 'postgres://me:word@host/tasks' };
    expect(environmentFor('command', store, ['STOPGATE_STORE'])).toEqual(store);
  });
});

it('passes what either of two layers passes', () => {
  const merged = mergedEnvironment({ STOPGATE_PASS_ENV: 'A_TOKEN', X: '1' }, { STOPGATE_PASS_ENV: 'B_TOKEN', X: '2' });
  expect(merged).toEqual({ STOPGATE_PASS_ENV: 'A_TOKEN,B_TOKEN', X: '2' });
  expect(mergedEnvironment({ STOPGATE_PASS_ENV: 'A' }, {})).toEqual({ STOPGATE_PASS_ENV: 'A' });
  expect(mergedEnvironment({ STOPGATE_PASS_ENV: 'A' }, { STOPGATE_PASS_ENV: '' })).toEqual({ STOPGATE_PASS_ENV: 'A' });
});

it('finds passwords in addresses within one word of a command line', () => {
  expect(passwordsIn('a://b:\0c@d')).toEqual([]);
  expect(passwordsIn('x a://b:cc@d e://:f@g')).toEqual([
    { at: 8, length: 2 },
    { at: 18, length: 1 },
  ]);
});

it('names the values that must not be written down, the longest first, passwords in addresses too', () => {
  const env = { PATH: '/bin', A_TOKEN: 'sh0rter', URL: 'postgres://me:long-word@host/db' };
  expect(secretValues(env)).toEqual(['postgres://me:long-word@host/db', 'long-word', 'sh0rter']);
});

it.each(['postgres', 'short', '/home/me/key.json', 'PASSWORD'])('lets ordinary text be: %s', (value) => {
  expect(secretValues({ DB_PASSWORD: value })).toEqual([]);
});

it('finds the names that a command uses', () => {
  const names = ['GITHUB_TOKEN', 'NPM_TOKEN', 'TOKEN'];
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a shell's
  expect(namesIn('curl -H "x: ${GITHUB_TOKEN:-none}" $NPM_TOKEN_2', names)).toEqual(['GITHUB_TOKEN']);
});
