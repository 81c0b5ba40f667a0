import { personName } from '@atoll/contract/users/names';
import { eq } from 'drizzle-orm';
import type { Context } from '../../platform/context.ts';
import { sendThemedMail } from '../mail/themed-mail.ts';
import { firstAdmin, requireSelf } from '../users/service.ts';
import { personView } from '../users/view.ts';
import { contactMessages } from './table.ts';

type Kind = (typeof contactMessages.$inferSelect)['kind'];

interface Received {
  kind: Kind;
  name: string;
  email: string;
  message: string;
  page?: string;
}

export async function receiveContact(ctx: Context, input: Received): Promise<void> {
  await ctx.write(async ({ tx, emit }) => {
    const [row] = await tx
      .insert(contactMessages)
      .values({ ...input, userId: ctx.actor.userId, createdAt: ctx.now() })
      .returning({ id: contactMessages.id });
    if (row) await emit('contact.received', { message_id: row.id });
  });
}

/** From somebody who is here: who may not be written to stays without a name. */
export async function receiveFromSelf(
  ctx: Context,
  kind: Kind,
  { message, page, allow_contact }: { message: string; page?: string; allow_contact: boolean },
): Promise<void> {
  const self = await requireSelf(ctx);
  const isNamed = allow_contact && !self.isGuest;
  await receiveContact(ctx, {
    kind,
    name: isNamed ? personName(personView(self)) : '',
    email: isNamed ? (self.email ?? '') : '',
    message,
    ...(page && { page }),
  });
}

const subjects: Record<Kind, string> = {
  contact: 'Message',
  feedback: 'Feedback',
  issue_report: 'A problem was reported',
  data_request: 'Data request',
};

/** Stored first, mailed after: a mail server that is away loses no message. */
export async function forwardContact(ctx: Context, messageId: string): Promise<void> {
  const [message] = await ctx.db.select().from(contactMessages).where(eq(contactMessages.id, messageId));
  // Without anybody named it goes where mail without a server goes: into the mailbox.
  const to =
    ctx.config.mail.contact ?? (await firstAdmin(ctx.db))?.email ?? `postmaster@${new URL(ctx.config.url).hostname}`;
  if (!message) return;
  const { kind, name, email, page } = message;
  const from = name ? `${name}${email ? ` (${email})` : ''}` : 'Someone';
  await sendThemedMail(ctx, to, {
    subject: name ? `${subjects[kind]} from ${name}` : subjects[kind],
    lead: `${from} wrote${page ? ` about ${page}` : ''}:`,
    body: message.message,
    isAlwaysSent: true,
    ...(email ? { replyTo: email } : {}),
  });
}
