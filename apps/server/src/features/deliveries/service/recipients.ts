/** Reports go by mail to people who asked for them or agreed; who that is is decided when they are sent. */
import type { Recipient } from '@atoll/contract';
import { personName } from '@atoll/contract/users/names';
import { and, eq, exists, inArray, isNotNull, isNull, or, sql } from 'drizzle-orm';
import type { Context } from '../../../platform/context.ts';
import type { Database, Transaction } from '../../../platform/db/database.ts';
import { AppError } from '../../../platform/errors.ts';
import { TargetProblem } from '../../../platform/outside/answers.ts';
import { hashSecret, newSecret } from '../../../platform/secrets.ts';
import { countMail } from '../../mail/limits.ts';
import { mailedName } from '../../mail/names.ts';
import { sendThemedMail } from '../../mail/themed-mail.ts';
import { projectGrants, projects } from '../../projects/table.ts';
import { publications } from '../../publications/table.ts';
import { teamMembers } from '../../teams/table.ts';
import { findUser } from '../../users/service.ts';
import { type UserRow, users } from '../../users/table.ts';
import { personView } from '../../users/view.ts';
import { reportConsents, reportRefusals, reportSubscribers } from '../table.ts';

type Reader = Database | Transaction;

const lower = (address: string) => address.toLowerCase();
export const hashOf = (address: string) => hashSecret(lower(address));

export const confirmFirst = 'Confirm your e-mail address first: reports are sent in your name.';
const dayMs = 24 * 60 * 60_000;
const askAgainMs = 7 * dayMs;
export const answerWithinMs = 30 * dayMs;

/** It is not sent, and that is no failure of the mail. */
export class HeldBack extends Error {
  readonly state: 'asked' | 'refused';
  constructor(state: 'asked' | 'refused', message: string) {
    super(message);
    this.state = state;
  }
}

/** A report, in whose name it goes, and which project's people get it without being asked. */
interface Sending {
  publicationId: string;
  senderId: string;
}

/**
 * The addresses that are proven to be those of the sender, the project's people, or readers who subscribed, and whether it is
 * the last.
 */
async function knownAddresses(
  db: Reader,
  { publicationId, senderId }: Sending,
  addresses: string[],
): Promise<Map<string, boolean>> {
  const [project] = await db
    .select({ id: projects.id, ownerId: projects.ownerId })
    .from(projects)
    .innerJoin(publications, eq(publications.projectId, projects.id))
    .where(eq(publications.id, publicationId));
  if (!project || addresses.length === 0) return new Map();
  const ownTeams = db.select({ id: teamMembers.teamId }).from(teamMembers).where(eq(teamMembers.userId, users.id));
  const reaching = or(eq(projectGrants.userId, users.id), inArray(projectGrants.teamId, ownTeams));
  const grants = db
    .select({ id: projectGrants.id })
    .from(projectGrants)
    .where(and(eq(projectGrants.projectId, project.id), reaching));
  const subscriptions = db
    .select({ id: reportSubscribers.userId })
    .from(reportSubscribers)
    .where(and(eq(reportSubscribers.publicationId, publicationId), eq(reportSubscribers.userId, users.id)));
  const address = sql<string>`lower(${users.email})`;
  const isSubscribed = sql<boolean>`${exists(subscriptions)}`;
  const rows = await db
    .select({ address, isSubscribed })
    .from(users)
    .where(
      and(
        inArray(address, addresses.map(lower)),
        isNotNull(users.emailConfirmedAt),
        isNull(users.suspendedAt),
        isNull(users.deletedAt),
        or(inArray(users.id, [project.ownerId, senderId]), exists(grants), exists(subscriptions)),
      ),
    );
  return new Map(rows.map((row) => [row.address, row.isSubscribed]));
}

interface Standing extends Recipient {
  askedAt: Date | null;
}

/** How it stands with each address: a refusal counts before what others have decided, and a subscription before that. */
async function standingsOf(db: Reader, sending: Sending, addresses: string[]): Promise<Standing[]> {
  if (addresses.length === 0) return [];
  const known = await knownAddresses(db, sending, addresses);
  const hashes = addresses.map(hashOf);
  const consents = await db
    .select()
    .from(reportConsents)
    .where(and(eq(reportConsents.senderId, sending.senderId), inArray(reportConsents.addressHash, hashes)));
  const refusals = await db
    .select({ hash: reportRefusals.addressHash })
    .from(reportRefusals)
    .where(and(eq(reportRefusals.publicationId, sending.publicationId), inArray(reportRefusals.addressHash, hashes)));
  return addresses.map((address) => {
    const hash = hashOf(address);
    const consent = consents.find(({ addressHash }) => addressHash === hash);
    const isSubscribed = known.get(lower(address));
    const isRefused = refusals.some((each) => each.hash === hash) || (consent?.state === 'refused' && !isSubscribed);
    const state = isRefused ? 'refused' : isSubscribed !== undefined ? 'known' : (consent?.state ?? 'waiting');
    return { address, state, askedAt: consent?.askedAt ?? null };
  });
}

/** For the delivery settings. */
export const recipientsOf = async (db: Reader, sending: Sending, addresses: string[]): Promise<Recipient[]> =>
  (await standingsOf(db, sending, addresses)).map(({ address, state }) => ({ address, state }));

/** Those who were not asked yet, or long ago and have not answered. */
export const recipientsToAsk = async (ctx: Context, db: Reader, sending: Sending, addresses: string[]) =>
  (await standingsOf(db, sending, addresses)).filter((each) => each.state === 'waiting' && mayAsk(ctx, each));

const mayAsk = (ctx: Context, { askedAt }: Pick<Standing, 'askedAt'>) =>
  !askedAt || ctx.now().getTime() - askedAt.getTime() >= askAgainMs;

export const maySend = (user: UserRow | null | undefined): user is UserRow =>
  Boolean(user?.email && user.emailConfirmedAt && !user.suspendedAt && !user.deletedAt);

/** At most once in a week, whoever asks for it how often; with a token that is nowhere but in this mail. */
export async function askRecipient(ctx: Context, sending: Sending, address: string): Promise<void> {
  const { senderId, publicationId } = sending;
  const isPair = and(eq(reportConsents.senderId, senderId), eq(reportConsents.addressHash, hashOf(address)));
  const token = newSecret();
  const asked = await ctx.write(async (write) => {
    const { tx } = write;
    const sender = await findUser(tx, senderId);
    const [publication] = await tx
      .select({ title: publications.title })
      .from(publications)
      .where(eq(publications.id, publicationId));
    if (!maySend(sender) || !publication) return null;
    await tx
      .insert(reportConsents)
      .values({ senderId, addressHash: hashOf(address) })
      .onConflictDoNothing();
    const [consent] = await tx.select().from(reportConsents).where(isPair).for('update');
    if (consent?.state !== 'waiting' || !mayAsk(ctx, consent)) return null;
    await tx
      .update(reportConsents)
      .set({ tokenHash: hashSecret(token), askedAt: ctx.now() })
      .where(isPair);
    await write.emit('report.consent_asked', { sender_id: senderId });
    await countMail(ctx, write, { senderId, address });
    return { sender: mailedName(personName(personView(sender))), title: mailedName(publication.title) };
  });
  if (!asked) return;
  try {
    await sendThemedMail(ctx, address, {
      subject: `${asked.sender} would like to send you reports`,
      lead: `${asked.sender} has added this address to the report “${asked.title}”. You get it, and other reports of this person, only if you confirm.`,
      button: 'Confirm or refuse',
      // In the fragment: no log of a server on the way gets it.
      url: `${ctx.config.url}/confirm-reports#token=${token}`,
      note: 'The link works once, within 30 days. If you do nothing, you get no reports.',
    });
  } catch (error) {
    // It did not reach them, so it may be tried again.
    const again = and(isPair, eq(reportConsents.tokenHash, hashSecret(token)));
    await ctx.db.update(reportConsents).set({ tokenHash: null, askedAt: null }).where(again);
    throw error;
  }
}

interface Mailing {
  publicationId: string;
  senderId: string | null;
  address: string;
  /** A person pressed; a schedule does not ask those who never answered again and again. */
  isPressed: boolean;
  /** Tried again, it is one mail. */
  isCounted: boolean;
}

/** Refuses unless the report may be mailed to this address now. */
export async function requireRecipient(ctx: Context, mailing: Mailing): Promise<void> {
  const { publicationId, address, isPressed, isCounted } = mailing;
  const sender = mailing.senderId ? await findUser(ctx.db, mailing.senderId) : null;
  if (!sender || sender.suspendedAt || sender.deletedAt)
    throw new TargetProblem('The account in whose name it is sent is gone or suspended.', 'never');
  if (!maySend(sender)) throw new TargetProblem(confirmFirst, 'never');
  const senderId = sender.id;
  try {
    const [standing] = await standingsOf(ctx.db, { publicationId, senderId }, [address]);
    if (standing?.state === 'refused') throw new HeldBack('refused', 'This recipient has refused these reports.');
    if (standing?.state === 'waiting') {
      if (isPressed || !standing.askedAt) await askRecipient(ctx, { publicationId, senderId }, address);
      throw new HeldBack('asked', 'This recipient has not confirmed yet. Reports are sent from then on.');
    }
    const isKnown = standing?.state === 'known';
    if (!isCounted && lower(address) !== lower(sender.email ?? ''))
      await ctx.write((write) => countMail(ctx, write, { senderId, address, isKnown }));
  } catch (error) {
    throw error instanceof AppError ? new TargetProblem(error.message, 'never') : error;
  }
}
