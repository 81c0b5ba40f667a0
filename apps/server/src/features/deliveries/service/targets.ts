/** What a report is sent with, and how each kind of target takes it. */
import type { Context } from '../../../platform/context.ts';
import { type Answer, NoAnswer, PrivateAddress, post } from '../../../platform/outside/post.ts';
import { sendThemedMail } from '../../mail/themed-mail.ts';
import { type ReportSecrets, secretsOf } from '../../reports/service/secrets.ts';
import type { DeliveryTargetRow } from '../table.ts';
import { unsubscribeLink } from './unsubscribe-link.ts';

export interface Report {
  deliveryId: string;
  publicationId: string;
  title: string;
  message: string;
  url: string;
  sender: string | null;
  file: { name: string; type: string; content: Buffer } | null;
}

/** It was not taken. */
export class TargetProblem extends Error {
  /** After so many milliseconds, where the target says so. */
  readonly retry: 'never' | 'soon' | number;
  constructor(message: string, retry: 'never' | 'soon' | number) {
    super(message);
    this.retry = retry;
  }
}

/** Whether it was taken cannot be known, and it must not come twice. */
export class Unconfirmed extends Error {}

type Send = (ctx: Context, target: DeliveryTargetRow, report: Report, secrets: ReportSecrets) => Promise<void>;

const longestWaitMs = 6 * 3_600_000;

export async function sendTo(ctx: Context, target: DeliveryTargetRow, report: Report): Promise<void> {
  const secrets = await secretsOf(ctx, report.publicationId);
  await senders[target.kind](ctx, target, report, secrets);
}

const words = ({ title, message, url }: Report) => [title, message, url].filter(Boolean).join('\n\n');

const email: Send = async (ctx, { address, id }, report) => {
  const { title, message, url, file, sender } = report;
  try {
    await sendThemedMail(ctx, address, {
      subject: title,
      lead: sender ? `${sender} sends you the report “${title}”.` : `Here is the report “${title}”.`,
      body: message || undefined,
      button: 'Open the report',
      url,
      note: file ? `It is attached as ${file.name}.` : undefined,
      stopLink: unsubscribeLink(ctx, report.publicationId, address),
      messageId: `<delivery-${id}@${new URL(ctx.config.url).hostname}>`,
      ...(file && { attachments: [{ filename: file.name, content: file.content, contentType: file.type }] }),
    });
  } catch (error) {
    throw mailProblem(error);
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
  const base = ctx.config.outside.slackUrl;
  const call = async (method: string, body: object): Promise<Record<string, unknown>> => {
    const answer = await asked(
      post(`${base}/${method}`, {
        headers: { authorization: `Bearer ${slackToken}`, 'content-type': 'application/json; charset=utf-8' },
        body: JSON.stringify(body),
        privateHosts: 'any',
      }),
      'Slack',
    );
    const said = parsed(answer);
    if (said.ok !== true)
      throw new TargetProblem(`Slack refused it: ${String(said.error ?? 'no reason given')}.`, 'never');
    return said;
  };
  const { file } = report;
  if (!file) {
    await call('chat.postMessage', { channel: address, text: words(report), unfurl_links: false });
    return;
  }
  // Nothing is shown before the last step, so the others can be repeated.
  const slot = await beforeIt(() => form(`${base}/files.getUploadURLExternal`, slackToken, file));
  await beforeIt(() =>
    asked(
      post(String(slot.upload_url), {
        headers: { 'content-type': file.type },
        body: file.content,
        privateHosts: 'any',
        timeMs: 60_000,
      }),
      'Slack',
    ),
  );
  await call('files.completeUploadExternal', {
    files: [{ id: slot.file_id, title: report.title }],
    channel_id: address,
    initial_comment: words(report),
  });
};

/** This method of Slack's takes a form. */
async function form(url: string, token: string, { name, content }: { name: string; content: Buffer }) {
  const answer = await asked(
    post(url, {
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ filename: name, length: String(content.length) }).toString(),
      privateHosts: 'any',
    }),
    'Slack',
  );
  const said = parsed(answer);
  if (said.ok !== true)
    throw new TargetProblem(`Slack refused it: ${String(said.error ?? 'no reason given')}.`, 'never');
  return said;
}

const telegram: Send = async (ctx, { address }, report) => {
  const token = ctx.config.telegramBotToken;
  if (!token) throw new TargetProblem('This server has no Telegram bot.', 'never');
  const { file } = report;
  const text = words(report);
  const data = new FormData();
  data.set('chat_id', address);
  // Longer captions are refused.
  data.set(file ? 'caption' : 'text', file ? text.slice(0, 1_024) : text.slice(0, 4_096));
  if (file) data.set('document', new Blob([new Uint8Array(file.content)], { type: file.type }), file.name);
  const encoded = new Response(data);
  const answer = await asked(
    post(`${ctx.config.outside.telegramUrl}/bot${token}/${file ? 'sendDocument' : 'sendMessage'}`, {
      headers: { 'content-type': encoded.headers.get('content-type') ?? '' },
      body: Buffer.from(await encoded.arrayBuffer()),
      privateHosts: 'any',
      timeMs: 60_000,
    }),
    'Telegram',
  );
  const said = parsed(answer);
  if (said.ok !== true)
    throw new TargetProblem(`Telegram refused it: ${String(said.description ?? 'no reason given')}.`, 'never');
};

const webhook: Send = async (ctx, _target, report, { webhookUrl }) => {
  if (!webhookUrl) throw new TargetProblem('There is no address to send it to.', 'never');
  const { title, message, url, deliveryId } = report;
  await asked(
    post(webhookUrl, {
      headers: { 'content-type': 'application/json; charset=utf-8', 'idempotency-key': deliveryId },
      body: JSON.stringify({ text: words(report), title, message, url, delivery_id: deliveryId }),
      privateHosts: ctx.config.outside.privateHosts,
    }),
    'The webhook',
  );
};

const senders: Record<DeliveryTargetRow['kind'], Send> = { email, slack, telegram, webhook };

/** What the target's answer means. */
async function asked(answering: Promise<Answer>, who: string): Promise<Answer> {
  let answer: Answer;
  try {
    answer = await answering;
  } catch (error) {
    if (error instanceof PrivateAddress) throw new TargetProblem(error.message, 'never');
    if (!(error instanceof NoAnswer)) throw error;
    if (error.isSent) throw new Unconfirmed(`${who} did not say whether it took it.`);
    throw new TargetProblem(`${who} could not be reached. ${error.message}`, 'soon');
  }
  const { status } = answer;
  if (status === 429) throw new TargetProblem(`${who} is taking no more messages for now.`, waitOf(answer));
  if (status >= 500) throw new TargetProblem(`${who} answered with an error (${status}).`, 'soon');
  if (status >= 300 && status < 400) throw new TargetProblem(`${who} leads to another address.`, 'never');
  if (status >= 400) {
    const { error, description } = parsed(answer);
    throw new TargetProblem(`${who} refused it: ${String(description ?? error ?? status)}.`, 'never');
  }
  return answer;
}

/** Steps that show nothing yet are as if they had not been. */
async function beforeIt<Result>(step: () => Promise<Result>): Promise<Result> {
  try {
    return await step();
  } catch (error) {
    throw error instanceof Unconfirmed ? new TargetProblem(error.message, 'soon') : error;
  }
}

/** Telegram says it in the body, others in a header. */
function waitOf(answer: Answer): number | 'soon' {
  const { parameters } = parsed(answer) as { parameters?: { retry_after?: unknown } };
  const seconds = Number(parameters?.retry_after ?? answer.headers['retry-after']);
  return Number.isFinite(seconds) && seconds > 0 ? Math.min(seconds * 1_000, longestWaitMs) : 'soon';
}

function parsed({ text }: Answer): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return value && typeof value === 'object' ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
