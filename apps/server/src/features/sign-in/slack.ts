import { createHmac } from 'node:crypto';
import { rawContract } from '@atoll/contract';
import { denied, unauthorized } from '../../platform/errors.ts';
import type { RawRoute } from '../../platform/feature.ts';
import { equalSecrets } from '../../platform/secrets.ts';

const toleranceSeconds = 5 * 60;

/** Slack's proof: an HMAC over the time and the raw body. An old one could be a recording. */
export function isFromSlack(
  request: { body: string; timestamp: string; signature: string },
  signingSecret: string,
  now: Date,
): boolean {
  const age = Math.abs(now.getTime() / 1000 - Number(request.timestamp));
  if (!/^\d+$/.test(request.timestamp) || age > toleranceSeconds) return false;
  const expected = createHmac('sha256', signingSecret).update(`v0:${request.timestamp}:${request.body}`).digest('hex');
  return equalSecrets(`v0=${expected}`, request.signature);
}

export const slackRoutes: RawRoute[] = [
  {
    endpoint: rawContract.signIn.slackEvents,
    async handle(ctx, request, reply) {
      const secret = ctx.config.slackSigningSecret;
      if (!secret) throw denied('disabled_in_configuration', 'Slack is not connected to this server.');
      const timestamp = String(request.headers['x-slack-request-timestamp'] ?? '');
      const signature = String(request.headers['x-slack-signature'] ?? '');
      if (!isFromSlack({ body: request.rawBody, timestamp, signature }, secret, ctx.now())) throw unauthorized();
      // Slack asks once, when the address is entered, whether it is ours.
      const { type, challenge } = request.body as { type?: string; challenge?: string };
      return reply.send(type === 'url_verification' ? { challenge } : {});
    },
  },
];
