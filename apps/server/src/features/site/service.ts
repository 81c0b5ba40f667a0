import { eq } from 'drizzle-orm';
import type { Context } from '../../platform/context.ts';
import { sendThemedMail } from '../theme/mail.ts';
import { firstAdmin } from '../users/service.ts';
import { contactMessages } from './table.ts';

export async function receiveContact(
  ctx: Context,
  input: { name: string; email: string; message: string },
): Promise<void> {
  await ctx.write(async ({ tx, emit }) => {
    const [row] = await tx
      .insert(contactMessages)
      .values({ ...input, userId: ctx.actor.userId, createdAt: ctx.now() })
      .returning({ id: contactMessages.id });
    if (row) await emit('contact.received', { message_id: row.id });
  });
}

/** Stored first, mailed after: a mail server that is away loses no message. */
export async function forwardContact(ctx: Context, messageId: string): Promise<void> {
  const [message] = await ctx.db.select().from(contactMessages).where(eq(contactMessages.id, messageId));
  // Without anybody named it goes where mail without a server goes: into the outbox folder.
  const to =
    ctx.config.mail.contact ?? (await firstAdmin(ctx.db))?.email ?? `postmaster@${new URL(ctx.config.url).hostname}`;
  if (!message) return;
  await sendThemedMail(ctx, to, {
    subject: `Message from ${message.name}`,
    lead: `${message.name} (${message.email}) wrote:`,
    body: message.message,
    replyTo: message.email,
  });
}
