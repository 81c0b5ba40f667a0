import { z } from 'zod';
import { endpoint, rawEndpoint } from '../endpoint.ts';
import { done, line } from '../fields.ts';

const tag = 'Mail';
const permission = 'mail.choose';
const token = line(500).min(1);

/** With the token of a mail, without signing in. */
export const mailEndpoints = {
  choice: endpoint('GET', '/v1/unsubscribe/{token}/choice', {
    permission,
    tag,
    summary: 'Whether an address is subscribed',
    description: 'Only the beginning of the address is shown.',
  })
    .input(z.strictObject({ token }))
    .output(z.object({ address: z.string(), is_refused: z.boolean() })),

  unsubscribe: endpoint('POST', '/v1/unsubscribe/{token}', {
    permission,
    tag,
    summary: 'Unsubscribe an address',
    description: 'Mail programs call it with one click (RFC 8058). Mail about signing in is sent in any case.',
  })
    // A mail program sends a field of its own along.
    .input(z.object({ token }))
    .output(done),

  resubscribe: endpoint('DELETE', '/v1/unsubscribe/{token}', {
    permission,
    tag,
    summary: 'Allow mail to an address again',
  })
    .input(z.strictObject({ token }))
    .output(done),
};

export const mailRawEndpoints = {
  unsubscribePage: rawEndpoint('GET', '/v1/unsubscribe/{token}', {
    permission,
    tag,
    summary: 'Redirects to the unsubscribe page',
  }),
};
