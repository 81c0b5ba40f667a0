import { type DeliveryChange, defaultDelivery } from '@atoll/contract';
import type { Context } from '../../../platform/context.ts';
import type { Transaction } from '../../../platform/db/database.ts';
import { invalidField } from '../../../platform/errors.ts';
import { confirmFirst, maySend } from '../../deliveries/service/recipients.ts';
import { isLinked } from '../../telegram/service/chats.ts';
import { findUser } from '../../users/service.ts';
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
  // An address that is only claimed could make the product mail in another person's name.
  if (
    email &&
    delivery.email.enabled &&
    delivery.email.addresses.length > 0 &&
    !maySend(await findUser(tx, ctx.userId))
  )
    throw invalidField('delivery.email.addresses', confirmFirst);
  const isSameChat = before.telegram?.enabled && before.telegram.chat_id === delivery.telegram.chat_id;
  const linkedById =
    delivery.telegram.enabled && !isSameChat
      ? await requireLinked(ctx, tx, delivery.telegram.chat_id)
      : before.telegram?.linkedById;
  return { delivery: { ...delivery, telegram: { ...delivery.telegram, linkedById } }, secrets };
}

/** The bot is the operator's, and can write to every chat it is in: only people who may post there themselves make it do so. */
async function requireLinked(ctx: Context, tx: Transaction, chatId: string): Promise<string> {
  if (!ctx.config.telegramBotToken) throw invalidField('delivery.telegram.enabled', 'This server has no Telegram bot');
  if (!chatId) throw invalidField('delivery.telegram.chat_id', 'Choose a chat');
  const { userId } = ctx;
  if (!(await isLinked(tx, userId, chatId)))
    throw invalidField('delivery.telegram.chat_id', 'Link this chat first: post your code in it');
  return userId;
}
