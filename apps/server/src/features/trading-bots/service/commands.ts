import { and, asc, eq, inArray } from 'drizzle-orm';
import { z } from 'zod';
import { nobody } from '../../../platform/actor.ts';
import type { Context } from '../../../platform/context.ts';
import { AppError } from '../../../platform/errors.ts';
import { defineJob } from '../../../platform/jobs/definition.ts';
import { TargetProblem, Unconfirmed } from '../../../platform/outside/answers.ts';
import { callTelegram } from '../../../platform/outside/telegram.ts';
import { projects } from '../../projects/table.ts';
import { telegramIssuer } from '../../sign-in/service/telegram-sign-in.ts';
import { identities } from '../../sign-in/table.ts';
import { changeRun } from '../../strategies/service/change-run.ts';
import { liveOf } from '../../strategies/service/runs.ts';
import { strategyRuns } from '../../strategies/table.ts';
import { expectsUpdates, linkChat, unlinkFromWithin, updatesKind } from '../../telegram/service/chats.ts';
import { findUser, personOf } from '../../users/service.ts';
import { botUpdates } from '../table.ts';
import { percent, resultsText } from './news.ts';
import { channelsFor } from './posts.ts';

const pollSeconds = 25;
const rounds = 2;

const message = z.object({
  text: z.string().optional(),
  chat: z.object({
    ...{ id: z.int(), type: z.string() },
    ...{ title: z.string().optional(), username: z.string().optional() },
  }),
  from: z.object({ id: z.int() }).optional(),
});
const update = z.object({
  update_id: z.int(),
  message: message.optional(),
  /** Only its admins post in a channel. */
  channel_post: message.optional(),
});
type Message = z.infer<typeof message>;

/** Telegram gives updates to one reader of a bot at a time, and so does this job: there is one on all servers. */
export const commandsJob = defineJob({
  ...updatesKind,
  concurrency: 1,
  attempts: 1,
  async run({ ctx, write, signal }) {
    const bot = ctx.config.telegramBotToken?.split(':')[0];
    const channels = await channelsFor(ctx, ['all', 'trades', 'results', 'alarms']);
    if (!bot || (channels.length === 0 && !(await expectsUpdates(ctx)))) return;
    for (let round = 0; round < rounds && !signal.aborted; round++) {
      const [noted] = await ctx.db.select().from(botUpdates).where(eq(botUpdates.bot, bot));
      const fields = { offset: noted?.next ?? 0, timeout: pollSeconds, allowed_updates: ['message', 'channel_post'] };
      let answer: unknown;
      try {
        answer = await callTelegram(ctx, 'getUpdates', fields, { timeMs: (pollSeconds + 10) * 1_000, signal });
      } catch (error) {
        // The next minute asks again; trading goes on without Telegram.
        if (!(error instanceof TargetProblem) && !(error instanceof Unconfirmed)) throw error;
        ctx.log.warn({ reason: error.message }, 'telegram commands');
        return;
      }
      for (const raw of Array.isArray(answer) ? answer : []) {
        const parsed = update.safeParse(raw);
        const number = z.object({ update_id: z.int() }).safeParse(raw);
        const written = parsed.data?.message ?? parsed.data?.channel_post;
        if (written) await answerTo(ctx, written);
        if (!number.success) continue;
        const next = number.data.update_id + 1;
        // Killed before this, the command is looked at again: what it does, it does once.
        await write(({ tx }) =>
          tx.insert(botUpdates).values({ bot, next }).onConflictDoUpdate({ target: botUpdates.bot, set: { next } }),
        );
      }
    }
  },
});

const help = [
  '/status: your running strategies, or those of this channel',
  '/stop ID: stop one of yours and keep what it holds',
  '/stop ID close: stop it and sell what it holds',
].join('\n');

async function answerTo(ctx: Context, { text, chat, from }: Message): Promise<void> {
  const [, command, rest = ''] = /^\/(\w+)(?:@\w+)?(?:\s+(.*))?$/s.exec(text ?? '') ?? [];
  if (!command) return;
  const reply =
    (await linkReply(ctx, command.toLowerCase(), rest.trim(), chat)) ??
    (await replyTo(ctx, command.toLowerCase(), rest.trim(), chat.type === 'private', from?.id ?? null));
  if (reply === null) return;
  try {
    await callTelegram(ctx, 'sendMessage', { chat_id: chat.id, text: reply.slice(0, 4_096) });
  } catch (error) {
    if (!(error instanceof TargetProblem) && !(error instanceof Unconfirmed)) throw error;
    ctx.log.warn({ reason: error.message }, 'telegram reply');
  }
}

/** `/start CODE` is what the link to the bot makes of it. */
async function linkReply(ctx: Context, command: string, rest: string, chat: Message['chat']): Promise<string | null> {
  if ((command === 'link' || command === 'start') && rest) return linkChat(ctx, rest, chat);
  return command === 'unlink' ? unlinkFromWithin(ctx, chat) : null;
}

async function replyTo(
  ctx: Context,
  command: string,
  rest: string,
  isPrivate: boolean,
  telegramId: number | null,
): Promise<string | null> {
  if (command === 'help' || command === 'start') return help;
  if (command === 'status' && !isPrivate)
    return (await resultsText(ctx, 'Running strategies', dayBefore(ctx))) ?? 'No published strategy is running.';
  if (command !== 'status' && command !== 'stop') return isPrivate ? help : null;
  const person = telegramId === null ? null : await personBy(ctx, telegramId);
  if (!person) return `Sign in to ${ctx.config.url} with this Telegram account first.`;
  return command === 'status' ? ownStatus(person) : stop(person, rest);
}

const dayBefore = (ctx: Context) => new Date(ctx.now().getTime() - 24 * 3_600_000);

/** Who signs in here with that account; nobody who is suspended. */
async function personBy(ctx: Context, telegramId: number): Promise<Context | null> {
  const [identity] = await ctx.db
    .select({ userId: identities.userId })
    .from(identities)
    .where(and(eq(identities.issuer, telegramIssuer), eq(identities.subject, String(telegramId))));
  const user = identity && (await findUser(ctx.db, identity.userId));
  return user && !user.suspendedAt ? ctx.as(personOf(user)) : null;
}

const ownRuns = (person: Context) =>
  person.db
    .select({ run: strategyRuns, name: projects.name })
    .from(strategyRuns)
    .innerJoin(projects, eq(projects.id, strategyRuns.projectId))
    .where(
      and(eq(strategyRuns.ownerId, person.actor.userId ?? nobody), inArray(strategyRuns.state, ['running', 'paused'])),
    )
    .orderBy(asc(strategyRuns.startedAt), asc(strategyRuns.id));

/** Ids begin with their time, so runs of one day begin alike: the end tells them apart. */
const shortId = (id: string) => id.slice(-6);

async function ownStatus(person: Context): Promise<string> {
  const lines: string[] = [];
  for (const { run, name } of await ownRuns(person)) {
    const { environment, value } = await liveOf(person, run);
    const made = value.value === null ? 'has not decided yet' : percent(value.value);
    lines.push(`${shortId(run.id)}: ${name} (${environment}, ${run.state}): ${made}`);
  }
  return lines.length > 0 ? lines.join('\n') : 'None of your strategies is running.';
}

async function stop(person: Context, rest: string): Promise<string> {
  const [wanted = '', how] = rest.toLowerCase().split(/\s+/);
  const found = (await ownRuns(person)).filter(({ run }) => wanted.length >= 4 && run.id.endsWith(wanted));
  const [one] = found;
  if (!one || found.length > 1)
    return 'Say which one: /stop and the six characters that /status shows before its name.';
  try {
    await changeRun(person, one.run, { action: 'stop', closes_positions: how === 'close' });
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return error.message;
  }
  return how === 'close' ? `${one.name} is stopped, and sells what it holds.` : `${one.name} is stopped.`;
}
