import { z } from 'zod';
import { id, line, text } from '../fields.ts';
import { command, topic } from '../topic.ts';
import { aiConfiguration, aiConversation, aiEvent, aiModel, aiStreaming, revertedFile } from './entity.ts';
import { revertModes, toolPolicies } from './values.ts';

const nothing = z.strictObject({});
const state = aiConversation.pick({ id: true, state: true });
const base = { permission: 'project.edit', flag: 'ai' } as const;

/** Commands of the assistant on the topic of a document. */
export const aiCommands = {
  send_message: command({
    ...base,
    isWriting: true,
    summary: 'Send a message to the assistant',
    input: z.strictObject({ text: text(100_000).min(1), is_continue: z.boolean().default(false) }),
    output: state,
  }),
  interrupt_chat: command({
    ...base,
    isWriting: true,
    summary: 'Stop the assistant, and the call to the model with it',
    input: nothing,
    output: state,
  }),
  approve_tool_use: command({
    ...base,
    isWriting: true,
    summary: 'Let a tool do what it asked for',
    input: z.strictObject({
      call_id: z.string().max(200),
      is_always: z.boolean().default(false).describe('Also from now on, without asking'),
    }),
    output: state,
  }),
  reject_tool_use: command({
    ...base,
    isWriting: true,
    summary: 'Refuse what a tool asked for; with a message the assistant goes on and reads it, else it stops',
    input: z.strictObject({ call_id: z.string().max(200), message: text(10_000).optional() }),
    output: state,
  }),
  get_chat_history: command({
    ...base,
    summary: 'The conversation, or what came after an event',
    input: z.strictObject({ after_seq: z.int().min(0).default(0), before_seq: z.int().min(1).optional() }),
    output: aiConversation,
  }),
  get_ai_request: command({
    ...base,
    summary: 'What a model is sent with the next message, word for word',
    input: nothing,
    output: z.object({ instructions: z.string(), messages: z.array(z.object({ role: z.string(), text: z.string() })) }),
  }),
  get_snapshot_changes: command({
    ...base,
    summary: 'What bringing back a snapshot would change',
    input: z.strictObject({ snapshot: z.int().min(1) }),
    output: z.object({ files: z.array(revertedFile) }),
  }),
  revert_to_snapshot: command({
    ...base,
    isWriting: true,
    summary: 'Bring back how things were before a message',
    input: z.strictObject({
      snapshot: z.int().min(1),
      mode: z.enum(revertModes).default('both'),
      later_file_ids: z.array(id).max(10_000).default([]).describe('Files changed since that are reverted too'),
    }),
    output: state,
  }),
  clear_chat: command({
    ...base,
    isWriting: true,
    summary: 'Archive the conversation and begin a new one',
    input: nothing,
    output: state,
  }),
  update_ai_configuration: command({
    ...base,
    isWriting: true,
    summary: 'Choose the model for everyone, and what tools may do in your turns',
    input: z.strictObject({
      model: line(200).nullable().optional(),
      policies: z.record(z.string().max(80), z.enum(toolPolicies)).optional(),
    }),
    output: aiConfiguration,
  }),
  refresh_ai_configuration: command({
    ...base,
    summary: 'Look again which models there are',
    input: nothing,
    output: z.object({ configuration: aiConfiguration, models: z.array(aiModel) }),
  }),
  get_available_models: command({
    ...base,
    summary: 'The models to choose from',
    input: nothing,
    output: z.object({ models: z.array(aiModel), missing: z.string().nullable().describe('Why there are none') }),
  }),
  ai_tool_execute: command({
    ...base,
    isWriting: true,
    isAside: true,
    summary: 'Use a tool of the assistant yourself',
    input: z.strictObject({ name: line(80), input: z.record(z.string(), z.unknown()).default({}) }),
    output: z.object({ outcome: z.enum(['ok', 'error']), result: z.string() }),
  }),
};

export const assistantTopic = topic('assistant:{projectId}/{fileId}', {
  permission: 'project.edit',
  flag: 'ai',
  summary: 'The conversation with the assistant about a document',
  events: {
    chat_event: z.object({ conversation_id: id, state: aiConversation.shape.state, event: aiEvent }),
    chat_streaming: z.object({
      conversation_id: id,
      after_seq: aiStreaming.shape.after_seq,
      kind: z.enum(['text', 'thinking']),
      from: z.int().describe('Where the text continues; 0 begins it again'),
      text: z.string(),
    }),
    chat_cleared: z.object({ conversation_id: id }),
  },
});
