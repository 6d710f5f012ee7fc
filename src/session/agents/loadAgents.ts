import { readdir } from 'node:fs/promises';
import path from 'node:path';
import type { JsonPath } from '../../schemas/json.ts';
import { readTextFile, type TextFile } from '../../system/readTextFile.ts';
import { fieldText, frontMatterProblem, readFrontMatter } from '../frontMatter.ts';
import type { SettingsProblem } from '../settings/types.ts';
import type { FolderTrust } from '../trust/folderTrust.ts';
import { agentItem } from '../trust/trustItem.ts';

/** A kind of subagent that a file in `.claude/agents` defines. */
export interface AgentDefinition {
  readonly name: string;
  readonly description: string;
  readonly prompt: string;
  /** Names of the tools it may use; undefined for all its parent has. */
  readonly tools?: readonly string[];
  readonly disallowedTools?: readonly string[];
  readonly model?: string;
  /** Requests that it may send. */
  readonly maxTurns?: number;
  readonly hooks?: readonly AgentHooks[];
}

/** The hooks of an agent's front matter, not yet checked. */
interface AgentHooks {
  readonly source: AgentFolder['source'];
  readonly file: string;
  readonly value: unknown;
  lineOf(path: JsonPath): number | undefined;
}

export interface AgentFolder {
  readonly folder: string;
  readonly source: 'user' | 'project';
  /** How far its agents may replace an earlier folder's hooks. */
  readonly trust: FolderTrust;
}

export interface LoadedAgents {
  readonly agents: readonly AgentDefinition[];
  /** One for each file that cannot be read. */
  readonly problems: readonly SettingsProblem[];
}

export const NO_AGENTS: LoadedAgents = { agents: [], problems: [] };

const MAX_BYTES = 256 * 1024;

/** The agents of all folders; where two have one name, the later folder's holds. */
export async function loadAgents(folders: readonly AgentFolder[]): Promise<LoadedAgents> {
  const found = new Map<string, AgentDefinition>();
  const problems: SettingsProblem[] = [];
  for (const { folder, source, trust } of folders) {
    const names = await readdir(folder).catch(() => []);
    for (const name of names.filter((one) => one.endsWith('.md')).sort()) {
      const file = path.join(folder, name);
      const read = await readTextFile(file, MAX_BYTES);
      const agent = await agentFrom(read, { file, source });
      if (agent && 'level' in agent) problems.push(agent);
      else if (agent)
        found.set(agent.name, isApproved(agent, trust) ? agent : withHooksOf(found.get(agent.name), agent));
    }
  }
  return { agents: [...found.values()], problems };
}

const isApproved = ({ name, hooks }: AgentDefinition, trust: FolderTrust): boolean =>
  trust.whyNot(agentItem(name, hooks)) === null;

/** A repository must not remove a person's gate by giving its own agent the same name. */
function withHooksOf(replaced: AgentDefinition | undefined, agent: AgentDefinition): AgentDefinition {
  if (replaced?.hooks === undefined) return agent;
  return { ...agent, hooks: [...replaced.hooks, ...(agent.hooks ?? [])] };
}

/** A problem when it or its front matter cannot be read; undefined when it defines no agent. */
async function agentFrom(
  read: TextFile,
  { file, source }: Pick<AgentHooks, 'file' | 'source'>,
): Promise<AgentDefinition | SettingsProblem | undefined> {
  const broken = (message: string) => ({ level: 'error', file, path: '', message }) as const;
  if (read.type === 'missing') return undefined;
  if (read.type === 'unreadable') return broken(`${file} cannot be read: ${read.message}; this agent is left out.`);
  if (read.cut)
    return broken(`${file} is larger than ${MAX_BYTES / 1024} KB; this agent is left out, make it smaller.`);
  const { fields, body, lineOf, problem } = await readFrontMatter(read.text);
  if (problem) return { ...broken(frontMatterProblem(file, problem, 'this agent is left out')), line: problem.line };
  const [name, model] = [fields.name, fields.model].map(fieldText);
  if (!name) return undefined;
  const tools = namesIn(fields.tools);
  const disallowedTools = namesIn(fields.disallowedTools);
  return {
    name,
    description: fieldText(fields.description) ?? '',
    prompt: body.trim(),
    ...(tools.length > 0 && !tools.includes('*') ? { tools } : {}),
    ...(disallowedTools.length > 0 ? { disallowedTools } : {}),
    ...(model && model !== 'inherit' ? { model } : {}),
    ...maxTurnsOf(fields.maxTurns),
    ...(fields.hooks === undefined || fields.hooks === null
      ? {}
      : { hooks: [{ source, file, value: fields.hooks, lineOf }] }),
  };
}

/** As in Claude Code: anything but a whole number above 0 sets no limit. */
function maxTurnsOf(field: unknown): Pick<AgentDefinition, 'maxTurns'> {
  const text = fieldText(field) ?? String(field);
  return /^[1-9]\d{0,8}$/.test(text) ? { maxTurns: Number(text) } : {};
}

const namesIn = (field: unknown): string[] =>
  fieldText(field)
    ?.split(/[\s,]+/)
    .filter(Boolean) ?? [];

/** Their description for the model. */
export function agentsText(agents: readonly AgentDefinition[]): string {
  if (agents.length === 0) return '';
  const lines = agents.map(({ name, description }) => `- ${name}: ${description}`);
  return ['The Agent tool knows these kinds besides its own (subagent_type):', ...lines].join('\n');
}
