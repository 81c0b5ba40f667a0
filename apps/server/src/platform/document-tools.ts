import type { Tool, ToolResult } from '@atoll/agent';
import type { ToolPolicy } from '@atoll/contract';
import { z } from 'zod';

/** The document that a conversation is about. */
export interface DocumentAddress {
  projectId: string;
  fileId: string;
}

/**
 * What the assistant can do with one kind of document. Its feature brings it; the assistant knows no kind. The context is a
 * parameter, because it holds these itself.
 */
export interface DocumentTools<Context, Write> {
  takes(file: { path: string }): boolean;
  /** What a model has to know of this kind of document. */
  instructions: string;
  tools(ctx: Context, address: DocumentAddress): Tool<Write>[];
  /** Brings the file up to what people see, before it is copied. */
  save(ctx: Context, fileId: string): Promise<void>;
  /** Makes this content the newest; people who have it open see it. */
  restore(ctx: Context, write: Write, address: DocumentAddress, content: { blob: string; size: number }): Promise<void>;
}

interface ToolDefinition<Input, Write> {
  name: string;
  title: string;
  description: string;
  input: z.ZodType<Input>;
  isChanging?: boolean;
  isRepeatable?: boolean;
  defaultPolicy?: ToolPolicy;
  describe(input: Input): { title: string; preview?: string | null };
  run(input: Input, signal: AbortSignal): Promise<ToolResult<Write>>;
}

/** A tool whose input is checked by its schema, which is also what the model is told. */
export function documentTool<Input, Write>(definition: ToolDefinition<Input, Write>): Tool<Write> {
  const { name, title, description, input, isChanging = false, isRepeatable = true } = definition;
  const { $schema: _, ...schema } = z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' });
  return {
    ...{ name, title, description, isChanging, isRepeatable, input: schema },
    defaultPolicy: definition.defaultPolicy ?? (isChanging ? 'ask' : 'always'),
    problem(given) {
      const parsed = input.safeParse(given);
      return parsed.success ? null : `The input is wrong. ${z.prettifyError(parsed.error)}`;
    },
    describe(given) {
      const { title, preview = null } = definition.describe(input.parse(given));
      return { title, preview };
    },
    run: (given, signal) => definition.run(input.parse(given), signal),
  };
}
