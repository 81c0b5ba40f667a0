/** What a report is sent with, and how each kind of target takes it. */
import type { Context } from '../../../platform/context.ts';
import { answerOf, parsedAnswer, TargetProblem, Unconfirmed } from '../../../platform/outside/answers.ts';
import { post } from '../../../platform/outside/post.ts';
import { callTelegram } from '../../../platform/outside/telegram.ts';
import { mailedName } from '../../mail/names.ts';
import { sendThemedMail } from '../../mail/themed-mail.ts';
import { type ReportSecrets, secretsOf } from '../../reports/service/secrets.ts';
import { settingsRow } from '../../reports/service/settings.ts';
import { isLinked } from '../../telegram/service/chats.ts';
import type { DeliveryTargetRow } from '../table.ts';
import { HeldBack, requireRecipient } from './recipients.ts';
import { unsubscribeLink } from './unsubscribe-link.ts';

export interface Report {
  deliveryId: string;
  publicationId: string;
  title: string;
  message: string;
  url: string;
  sender: string | null;
  senderId: string | null;
  /** By a person, and not by a schedule. */
  isPressed: boolean;
  file: { name: string; type: string; content: Buffer } | null;
}

type Send = (ctx: Context, target: DeliveryTargetRow, report: Report, secrets: ReportSecrets) => Promise<void>;

export async function sendTo(ctx: Context, target: DeliveryTargetRow, report: Report): Promise<void> {
  const secrets = await secretsOf(ctx, report.publicationId);
  await senders[target.kind](ctx, target, report, secrets);
}

const words = ({ title, message, url }: Report) => [title, message, url].filter(Boolean).join('\n\n');

const email: Send = async (ctx, { address, id, attempts }, report) => {
  const { message, url, file, sender, senderId, publicationId, isPressed } = report;
  const title = mailedName(report.title);
  try {
    await requireRecipient(ctx, { publicationId, senderId, address, isPressed, isCounted: attempts > 0 });
    await sendThemedMail(ctx, address, {
      subject: title,
      lead: sender ? `${sender} sends you the report “${title}”.` : `Here is the report “${title}”.`,
      body: message || undefined,
      button: 'Open the report',
      url,
      note: file ? `It is attached as ${file.name}.` : undefined,
      stopLink: unsubscribeLink(ctx, { publicationId, address, senderId }),
      messageId: `<delivery-${id}@${new URL(ctx.config.url).hostname}>`,
      ...(file && { attachments: [{ filename: file.name, content: file.content, contentType: file.type }] }),
    });
  } catch (error) {
    throw error instanceof HeldBack || error instanceof TargetProblem ? error : mailProblem(error);
  }
};

/** As nodemailer tells it: what the server answered, and to which command. */
function mailProblem(error: unknown): Error {
  // What was sent says to whom it failed, and has the server's answer as its cause.
  const said = (error as Error).cause ?? error;
  const { responseCode, command, message } = said as { responseCode?: number; command?: string; message: string };
  if (responseCode && responseCode >= 500) return new TargetProblem(`The mail server refused it: ${message}`, 'never');
  if (!responseCode && command === 'DATA') return new Unconfirmed('The mail server did not say whether it took it.');
  return new TargetProblem(`The mail server could not take it: ${message}`, 'soon');
}

const slack: Send = async (ctx, { address }, report, { slackToken }) => {
  if (!slackToken) throw new TargetProblem('There is no token of a Slack app.', 'never');
  const call = async (method: string, type: string, body: string): Promise<Record<string, unknown>> => {
    const answer = await answerOf(
      post(`${ctx.config.outside.slackUrl}/${method}`, {
        headers: { authorization: `Bearer ${slackToken}`, 'content-type': type },
        body,
        privateHosts: 'any',
      }),
      'Slack',
    );
    const said = parsedAnswer(answer);
    if (said.ok !== true)
      throw new TargetProblem(`Slack refused it: ${String(said.error ?? 'no reason given')}.`, 'never');
    return said;
  };
  const callJson = (method: string, body: object) =>
    call(method, 'application/json; charset=utf-8', JSON.stringify(body));
  const { file } = report;
  if (!file) {
    await callJson('chat.postMessage', { channel: address, text: words(report), unfurl_links: false });
    return;
  }
  // Nothing is shown before the last step, so the others can be repeated. The first of them takes a form.
  const form = new URLSearchParams({ filename: file.name, length: String(file.content.length) });
  const slot = await beforeIt(() =>
    call('files.getUploadURLExternal', 'application/x-www-form-urlencoded', form.toString()),
  );
  await beforeIt(() =>
    answerOf(
      post(String(slot.upload_url), {
        headers: { 'content-type': file.type },
        body: file.content,
        privateHosts: 'any',
        timeMs: 60_000,
      }),
      'Slack',
    ),
  );
  await callJson('files.completeUploadExternal', {
    files: [{ id: slot.file_id, title: report.title }],
    channel_id: address,
    initial_comment: words(report),
  });
};

const telegram: Send = async (ctx, { address }, report) => {
  const { delivery } = (await settingsRow(ctx.db, report.publicationId)) ?? {};
  const { chat_id, linkedById } = delivery?.telegram ?? {};
  if (chat_id !== address || !linkedById || !(await isLinked(ctx.db, linkedById, address)))
    throw new TargetProblem('This chat is not linked any more. Link it again, and choose it.', 'never');
  const { file } = report;
  const text = words(report);
  const data = new FormData();
  data.set('chat_id', address);
  // Longer captions are refused.
  data.set(file ? 'caption' : 'text', file ? text.slice(0, 1_024) : text.slice(0, 4_096));
  if (file) data.set('document', new Blob([new Uint8Array(file.content)], { type: file.type }), file.name);
  await callTelegram(ctx, file ? 'sendDocument' : 'sendMessage', data);
};

const webhook: Send = async (ctx, _target, report, { webhookUrl }) => {
  if (!webhookUrl) throw new TargetProblem('There is no address to send it to.', 'never');
  const { title, message, url, deliveryId } = report;
  await answerOf(
    post(webhookUrl, {
      headers: { 'content-type': 'application/json; charset=utf-8', 'idempotency-key': deliveryId },
      body: JSON.stringify({ text: words(report), title, message, url, delivery_id: deliveryId }),
      privateHosts: ctx.config.outside.privateHosts,
    }),
    'The webhook',
  );
};

const senders: Record<DeliveryTargetRow['kind'], Send> = { email, slack, telegram, webhook };

/** Steps that show nothing yet are as if they had not been. */
async function beforeIt<Result>(step: () => Promise<Result>): Promise<Result> {
  try {
    return await step();
  } catch (error) {
    throw error instanceof Unconfirmed ? new TargetProblem(error.message, 'soon') : error;
  }
}
