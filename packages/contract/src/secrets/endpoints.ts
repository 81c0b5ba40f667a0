import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { done, id, line, list, page, text, time } from '../fields.ts';

const tag = 'Secrets';

/** A secret's name becomes a variable in code, so it is written like one. */
export const secretKey = z
  .string()
  .min(1)
  .max(120)
  .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'May contain letters, digits and underscores, and must not begin with a digit');
const secretValue = text(32_000).min(1);

/** The value is never in an answer. */
export const secret = z.object({
  id,
  key: z.string(),
  created_at: time,
  updated_at: time,
  permissions: z.array(z.string()),
});
export type Secret = z.infer<typeof secret>;

export const secretEndpoints = {
  list: endpoint('GET', '/v1/secrets', { permission: 'secret.list', tag, summary: 'My secrets, without their values' })
    .input(
      z.strictObject({
        search: line(120).optional(),
        page: page(1),
        page_size: page(100, 100),
      }),
    )
    .output(list(secret)),

  create: endpoint('POST', '/v1/secrets', {
    permission: 'secret.create',
    keyScope: 'never',
    tag,
    summary: 'Create a secret',
  })
    .input(z.strictObject({ key: secretKey, secret: secretValue }))
    .output(secret),

  update: endpoint('PATCH', '/v1/secrets/{id}', {
    permission: 'secret.edit',
    keyScope: 'never',
    tag,
    summary: 'Update a secret',
  })
    .input(z.strictObject({ id, key: secretKey.optional(), secret: secretValue.optional() }))
    .output(secret),

  delete: endpoint('DELETE', '/v1/secrets/{id}', {
    permission: 'secret.edit',
    keyScope: 'never',
    tag,
    summary: 'Delete a secret',
  })
    .input(z.strictObject({ id }))
    .output(done),
};
