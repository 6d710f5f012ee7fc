import { BaseChatModel } from '@langchain/core/language_models/chat_models';
import { AIMessage } from '@langchain/core/messages';
import type { ChatResult } from '@langchain/core/outputs';
import { TURNS } from './turns.ts';

class ScriptedModel extends BaseChatModel {
  #at = 0;

  _llmType(): string {
    return 'scripted';
  }

  override bindTools() {
    return this;
  }

  async _generate(): Promise<ChatResult> {
    const turn = TURNS[Math.min(this.#at++, TURNS.length - 1)] ?? TURNS[0];
    const call = 'tool' in turn ? [{ id: 'call', name: turn.tool.name, args: turn.tool.input }] : [];
    const message = new AIMessage({ content: 'text' in turn ? turn.text : '', tool_calls: call });
    return { generations: [{ text: message.text, message }] };
  }
}

export const scriptedModel = () => new ScriptedModel({});
