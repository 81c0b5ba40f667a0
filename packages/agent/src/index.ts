export {
  type CallState,
  type Conversation,
  conversationOf,
  countersOf,
  nextCall,
  type Round,
  type Turn,
} from './conversation.ts';
export { circleOf, signatureOf } from './guard.ts';
export { advance, BudgetExceeded, type Loop, type LoopLimits, type Tool, type ToolResult } from './loop.ts';
export { compacted, cutText, messagesOf } from './messages.ts';
export {
  type Model,
  ModelError,
  type ModelErrorCode,
  type ModelMessage,
  type ModelPart,
  type ModelRequest,
  type ToolDescription,
} from './model.ts';
