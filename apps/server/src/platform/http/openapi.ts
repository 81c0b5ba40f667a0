import { apiPrefix, contract, type RawEndpoint, rawContract, type Theme } from '@atoll/contract';
import { type OpenAPI, OpenAPIGenerator } from '@orpc/openapi';
import { ZodToJsonSchemaConverter } from '@orpc/zod/zod4';
import { contractEndpoints } from './contract-endpoints.ts';

const generator = new OpenAPIGenerator({ schemaConverters: [new ZodToJsonSchemaConverter()] });

const errorSchema = {
  type: 'object',
  required: ['message', 'status', 'code', 'fields', 'details'],
  properties: {
    message: { type: 'string' },
    status: { type: 'integer' },
    code: { type: 'string' },
    fields: { type: 'object', additionalProperties: { type: 'array', items: { type: 'string' } } },
    details: { type: 'object' },
  },
} as const;

const errorResponse = {
  description: 'Any error',
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
};

type Operation = Record<string, unknown> & { responses?: Record<string, unknown> };

let paths: Promise<Record<string, Record<string, Operation>>> | null = null;

/** The document is built once from the contract; only the names in its head come from the theme. */
export async function openApiDocument(
  theme: Pick<Theme, 'name' | 'description' | 'app_url'>,
): Promise<OpenAPI.Document> {
  paths ??= describePaths();
  return {
    openapi: '3.1.1',
    info: { title: `${theme.name} API`, version: '1', description: theme.description },
    servers: [{ url: `${theme.app_url}${apiPrefix}` }],
    security: [{ bearer: [] }, { api_key: [] }, {}],
    paths: (await paths) as OpenAPI.PathsObject,
    components: {
      schemas: { Error: errorSchema as unknown as OpenAPI.SchemaObject },
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer' },
        api_key: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
      },
    },
  };
}

async function describePaths() {
  const document = await generator.generate(contract, { info: { title: '', version: '1' } });
  const described = (document.paths ?? {}) as Record<string, Record<string, Operation>>;
  for (const endpoint of contractEndpoints()) {
    const operation = described[endpoint.path]?.[endpoint.method.toLowerCase()];
    if (operation) addRules(operation, endpoint);
  }
  for (const endpoint of Object.values(rawContract).flatMap((group): RawEndpoint[] => Object.values(group))) {
    described[endpoint.path] ??= {};
    const operation: Operation = {
      summary: endpoint.summary,
      tags: [endpoint.tag],
      parameters: [...endpoint.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
        name,
        in: 'path',
        required: true,
        schema: { type: 'string' },
      })),
      responses: { 200: { description: 'Done' } },
      'x-raw': true,
    };
    addRules(operation, endpoint);
    Object.assign(described[endpoint.path] ?? {}, { [endpoint.method.toLowerCase()]: operation });
  }
  return described;
}

function addRules(operation: Operation, rules: { permission: string; keyScope: string }): void {
  operation['x-permission'] = rules.permission;
  operation['x-api-key-scope'] = rules.keyScope;
  operation.responses = { ...operation.responses, default: errorResponse };
}
