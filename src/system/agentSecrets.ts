type Gets = (name: string, env: Readonly<Record<string, string | undefined>>) => boolean;

/** An agent that cannot reach its model is of no use; a proxy's password is a part of the way there. */
const PROXY = /^(?:https?|all)_proxy$/i;
const PROVIDERS =
  /^(?:ANTHROPIC|CLAUDE|OPENAI|CODEX|GEMINI|GOOGLE_(?:API|GENERATIVE)|AZURE_(?:OPENAI|API|AI)|AWS_BEARER|OPENROUTER|MISTRAL|XAI|GROK|GROQ|DEEPSEEK|COHERE|CO_API|TOGETHER|FIREWORKS|PERPLEXITY|CEREBRAS|MOONSHOT|KIMI|DASHSCOPE|QWEN|ZAI|ZHIPU|MINIMAX|OLLAMA|LITELLM|LLM|NVIDIA|AI_GATEWAY|COPILOT|CURSOR|AMP|OPENCODE)_/;

/** Where Claude Code's models may be served, and the switch that says so. */
const CLAUDE_CLOUDS: readonly { readonly names: RegExp; readonly switch: string }[] = [
  { names: /^AWS_/, switch: 'CLAUDE_CODE_USE_BEDROCK' },
  { names: /^(?:GOOGLE|GCLOUD|CLOUD_ML|VERTEX)_/, switch: 'CLAUDE_CODE_USE_VERTEX' },
  { names: /^AZURE_/, switch: 'CLAUDE_CODE_USE_FOUNDRY' },
];

const isOn = (value: string | undefined) => value !== undefined && !/^(?:0|false|no|off)?$/i.test(value);

const gemini: Gets = (name, env) =>
  /^(?:GEMINI|GOOGLE_(?:API|GENAI|GENERATIVE))_/.test(name) ||
  PROXY.test(name) ||
  (/^(?:GOOGLE|GCLOUD|CLOUD_ML|VERTEX)_/.test(name) && isOn(env.GOOGLE_GENAI_USE_VERTEXAI));

const claude: Gets = (name, env) =>
  /^(?:ANTHROPIC|CLAUDE)_/.test(name) ||
  PROXY.test(name) ||
  CLAUDE_CLOUDS.some((cloud) => cloud.names.test(name) && isOn(env[cloud.switch]));

/** Which secrets a worker's agent of each host gets. */
export const AGENT_SECRETS = {
  claudeAgent: claude,
  geminiAgent: gemini,
  /** Its login may be a token of GitHub's other tools, if it has none of its own. */
  copilotAgent: (name, env) =>
    PROVIDERS.test(name) || PROXY.test(name) || (/^(?:GH|GITHUB)_TOKEN$/.test(name) && !env.COPILOT_GITHUB_TOKEN),
  otherAgent: (name) => PROVIDERS.test(name) || PROXY.test(name),
} satisfies Readonly<Record<string, Gets>>;
