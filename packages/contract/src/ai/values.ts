/** What happens in a conversation with the assistant, in the order it is stored. */
export const aiEventKinds = [
  'init',
  'message_sent',
  'thinking',
  'message_with_tools',
  'tool_execution_start',
  'tool_execution_completed',
  'final_message',
  'setup_notebook_ready',
  'error',
  'configuration_update',
  'reverted_to_snapshot',
] as const;
export type AiEventKind = (typeof aiEventKinds)[number];

/** Why the assistant ended before it was done. */
export const aiStopReasons = [
  'manual_stop',
  'timeout',
  'max_rounds_reached',
  'rejected',
  'budget_exceeded',
  'stuck',
  'error',
] as const;
export type AiStopReason = (typeof aiStopReasons)[number];

export const toolPolicies = ['ask', 'always', 'never'] as const;
export type ToolPolicy = (typeof toolPolicies)[number];

export const aiProviderKinds = ['anthropic', 'openai', 'google', 'openai_compatible'] as const;
export type AiProviderKind = (typeof aiProviderKinds)[number];

export const revertModes = ['files', 'conversation', 'both'] as const;

/** What one turn may take before it stops and asks. */
export const aiLimits = { rounds: 25, minutes: 10, tokens: 500_000 };
