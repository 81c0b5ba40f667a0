export { type CallState, conversationOf, nextCall, type Turn } from './conversation.ts';
export { advance, BudgetExceeded, type Loop, type Tool, type ToolResult } from './loop.ts';
export { compacted, cutText, messagesOf } from './messages.ts';
export { type Model, ModelError, type ModelMessage, type ModelPart, type ModelRequest } from './model.ts';
