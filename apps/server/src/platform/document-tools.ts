import type { Tool, ToolResult } from '@atoll/agent';
import type { ToolPolicy } from '@atoll/contract';
import { z } from 'zod';

/** The document that a conversation is about. */
export interface DocumentAddress {
  projectId: string;
  fileId: string;
}

/**
 * The assistant's tools for one kind of document. The feature provides them, because the assistant knows no kinds. The
 * context is a type parameter, because it contains these tools itself.
 */
export interface DocumentTools<Context, Write> {
  takes(file: { path: string }): boolean;
  /** Instructions for a model about this kind of document. */
  instructions: string;
  tools(ctx: Context, address: DocumentAddress): Tool<Write>[];
  /** Saves the newest state, as people see it, into the file before it is copied. */
  save(ctx: Context, fileId: string): Promise<void>;
  /** Makes this content the newest one; people who have the document open see it. */
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

/** A tool whose input is checked by its schema; the model gets the same schema. */
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
