import { type DeliveryChange, defaultDelivery } from '@atoll/contract';
import { and, eq } from 'drizzle-orm';
import { nobody } from '../../../platform/actor.ts';
import type { Context } from '../../../platform/context.ts';
import type { Transaction } from '../../../platform/db/database.ts';
import { invalidField } from '../../../platform/errors.ts';
import { identities } from '../../sign-in/table.ts';
import type { StoredDelivery } from '../table.ts';
import type { ReportSecrets } from './secrets.ts';

/** What was set before, with what is set now; what cannot work is refused. */
export async function changeDelivery(
  ctx: Context,
  tx: Transaction,
  { before, known }: { before: StoredDelivery; known: ReportSecrets },
  { slack, webhook, email, telegram, ...rest }: DeliveryChange,
): Promise<{ delivery: StoredDelivery; secrets: ReportSecrets }> {
  const { token, ...slackRest } = slack ?? {};
  const { url, ...webhookRest } = webhook ?? {};
  const delivery = {
    ...before,
    ...rest,
    email: { ...defaultDelivery.email, ...before.email, ...email },
    telegram: { ...defaultDelivery.telegram, ...before.telegram, ...telegram },
    slack: { enabled: false, channel: '', ...before.slack, ...slackRest },
    webhook: { enabled: false, ...before.webhook, ...webhookRest },
  };
  const secrets = {
    slackToken: token === undefined ? known.slackToken : token,
    webhookUrl: url === undefined ? known.webhookUrl : url,
  };
  if (delivery.slack.enabled && !delivery.slack.channel)
    throw invalidField('delivery.slack.channel', 'Enter a channel');
  if (delivery.slack.enabled && !secrets.slackToken)
    throw invalidField('delivery.slack.token', 'Enter the token of a Slack app');
  if (delivery.webhook.enabled && !secrets.webhookUrl) throw invalidField('delivery.webhook.url', 'Enter an address');
  const isSameChat = before.telegram?.enabled && before.telegram.chat_id === delivery.telegram.chat_id;
  if (delivery.telegram.enabled && !isSameChat) await checkChat(ctx, tx, delivery.telegram.chat_id);
  return { delivery, secrets };
}

/** The bot knows everybody who has opened it: one's own chat, or a group or channel that it was added to. */
async function checkChat(ctx: Context, tx: Transaction, chatId: string): Promise<void> {
  if (!ctx.config.telegramBotToken) throw invalidField('delivery.telegram.enabled', 'This server has no Telegram bot');
  if (!chatId) throw invalidField('delivery.telegram.chat_id', 'Enter a chat');
  if (!/^\d+$/.test(chatId)) return;
  const [own] = await tx
    .select({ id: identities.id })
    .from(identities)
    .where(
      and(
        eq(identities.userId, ctx.actor.userId ?? nobody),
        eq(identities.provider, 'telegram'),
        eq(identities.subject, chatId),
      ),
    );
  if (!own)
    throw invalidField('delivery.telegram.chat_id', 'A private chat must be your own: sign in with Telegram once');
}
