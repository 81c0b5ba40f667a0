import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { contract, topics } from '@atoll/contract';
import { isContractProcedure } from '@orpc/contract';
import { expect, test } from 'vitest';
import { z } from 'zod';

interface Declared {
  name: string;
  method: string;
  input: z.ZodType | undefined;
  output: z.ZodType | undefined;
}

function declared(router: unknown = contract, path: string[] = []): Declared[] {
  if (!isContractProcedure(router))
    return Object.entries(router as object).flatMap(([key, value]) => declared(value, [...path, key]));
  const { route, inputSchema, outputSchema } = router['~orpc'];
  return [
    {
      ...{ name: path.join('.'), method: route.method ?? '' },
      ...{ input: inputSchema as z.ZodType | undefined, output: outputSchema as z.ZodType | undefined },
    },
  ];
}

const endpoints = declared();
const fieldsOf = (schema: z.ZodType | undefined): [string, z.ZodType][] => {
  const inner = schema && insideOf(schema);
  return inner instanceof z.ZodObject ? (Object.entries(inner.shape) as [string, z.ZodType][]) : [];
};

function insideOf(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault)
    return insideOf(schema.unwrap() as z.ZodType);
  return schema instanceof z.ZodArray ? insideOf(schema.element as z.ZodType) : schema;
}

/** Harmless defaults: the first two contain the changes; the others concern data beside them, which the answer repeats. */
const harmless = [
  'theme.update update',
  'theme.update upload_ids',
  'strategies.changeRun closes_positions',
  'strategies.changeCopy closes_positions',
  'admin.updateFeature message',
];

test('a change affects only the fields it names: none of its fields has a default', () => {
  const changes = endpoints.filter(({ method }) => method === 'PATCH');
  expect(changes.length).toBeGreaterThan(10);
  const filled = changes.flatMap(({ name, input }) =>
    fieldsOf(input).flatMap(([field, schema]) => {
      const { success, data } = schema.safeParse(undefined);
      return success && data !== undefined ? [`${name} ${field}`] : [];
    }),
  );
  expect(filled).toEqual(harmless);
});

test('no field of an answer can only be null, but for those of parts that are not built', () => {
  const seen = new Set<z.ZodType>();
  const found: string[] = [];
  const walk = (schema: z.ZodType, path: string) => {
    const inner = insideOf(schema);
    if (seen.has(inner)) return;
    seen.add(inner);
    if (inner instanceof z.ZodNull) found.push(path.split('.').at(-1) ?? '');
    for (const [name, field] of fieldsOf(inner)) walk(field, `${path}.${name}`);
  };
  for (const { name, output } of endpoints) if (output) walk(output, name);
  expect([...new Set(found)]).toEqual(['git_sync_config']);
});

/** Parameters that no code names: they are stored or passed on as part of one object, or are only a sentence to type. */
const wholes = [
  ...['theme_mode', 'code_theme', 'is_rail_collapsed', 'reduced_motion', 'editor_font_size'].map(
    (field) => `account.updatePreferences: ${field}`,
  ),
  'trading.arm: confirmation',
  'notebook update_cell_source: base_checksum',
];

/** All of the server's own code in one text. */
function sources(folder: string): string {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts') && !path.startsWith('test'))
    .map((path) => readFileSync(join(folder, path), 'utf8'))
    .join('\n');
}

test('the code that carries out a request names each accepted parameter', () => {
  const words = new Set(sources(join(import.meta.dirname, '../..')).match(/\w+/g));
  const inputs = [
    ...endpoints.map(({ name, input }) => [name, input] as const),
    ...Object.entries(topics).flatMap(([name, topic]) => [
      [`${name} join`, topic.join as z.ZodType] as const,
      ...Object.entries(topic.commands).map(
        ([command, { input }]) => [`${name} ${command}`, input as z.ZodType] as const,
      ),
    ]),
  ];
  const ignored = inputs.flatMap(([name, input]) =>
    fieldsOf(input).flatMap(([field]) => (words.has(field) ? [] : [`${name}: ${field}`])),
  );
  expect(ignored).toEqual(wholes);
});
