import { topics } from '@atoll/contract';
import { addedCommands, channel } from '../../platform/realtime/channel.ts';
import {
  approveToolUse,
  availableModels,
  changesSince,
  chatHistory,
  clearChat,
  configuration,
  executeTool,
  interruptChat,
  rejectToolUse,
  requestPreview,
  revertToSnapshot,
  sendMessage,
  updateConfiguration,
} from './service/assistant.ts';
import { requireDocument } from './service/conversations.ts';
import { lookAgain } from './service/providers.ts';

export const assistantChannel = channel({
  topic: topics.assistant,
  async authorize(ctx, params) {
    await requireDocument(ctx, ctx.db, { ...params });
  },
  commands: {},
});

/** On the topic of the document, as the specification has it. */
export const assistantCommands = addedCommands(topics.notebook, {
  send_message: (ctx, input, { params }) => sendMessage(ctx, { ...params }, input),
  interrupt_chat: (ctx, _input, { params }) => interruptChat(ctx, { ...params }),
  approve_tool_use: (ctx, input, { params }) => approveToolUse(ctx, { ...params }, input),
  reject_tool_use: (ctx, input, { params }) => rejectToolUse(ctx, { ...params }, input),
  get_chat_history: (ctx, input, { params }) => chatHistory(ctx, { ...params }, input),
  get_ai_request: (ctx, _input, { params }) => requestPreview(ctx, { ...params }),
  get_snapshot_changes: (ctx, { snapshot }, { params }) => changesSince(ctx, { ...params }, snapshot),
  revert_to_snapshot: (ctx, input, { params }) => revertToSnapshot(ctx, { ...params }, input),
  clear_chat: (ctx, _input, { params }) => clearChat(ctx, { ...params }),
  update_ai_configuration: (ctx, input, { params }) => updateConfiguration(ctx, { ...params }, input),
  async refresh_ai_configuration(ctx, _input, { params }) {
    lookAgain(ctx);
    return configuration(ctx, { ...params });
  },
  async get_available_models(ctx, _input, { params }) {
    await requireDocument(ctx, ctx.db, { ...params });
    return availableModels(ctx);
  },
  ai_tool_execute: (ctx, input, { params, requestId }) => executeTool(ctx, { ...params }, requestId ?? '', input),
});
