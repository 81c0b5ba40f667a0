import type { Context } from '../context.ts';
import { answerOf, parsedAnswer, TargetProblem } from './answers.ts';
import { post } from './post.ts';

/** Calls the bot's API, with a form if there is a file, otherwise with JSON. Returns its result. */
export async function callTelegram(
  { config }: Pick<Context, 'config'>,
  method: string,
  fields: FormData | Record<string, unknown>,
  { timeMs = 60_000, signal }: { timeMs?: number; signal?: AbortSignal } = {},
): Promise<unknown> {
  const token = config.telegramBotToken;
  if (!token) throw new TargetProblem('This server has no Telegram bot.', 'never');
  const encoded = fields instanceof FormData ? new Response(fields) : Response.json(fields);
  const answer = await answerOf(
    post(`${config.outside.telegramUrl}/bot${token}/${method}`, {
      headers: { 'content-type': encoded.headers.get('content-type') ?? '' },
      body: Buffer.from(await encoded.arrayBuffer()),
      privateHosts: 'any',
      timeMs,
      ...(signal ? { signal } : {}),
    }),
    'Telegram',
  );
  const said = parsedAnswer(answer);
  if (said.ok !== true)
    throw new TargetProblem(`Telegram refused it: ${String(said.description ?? 'no reason given')}.`, 'never');
  return said.result;
}
