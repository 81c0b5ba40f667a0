import { z } from 'zod';
import { id } from './fields.ts';

/**
 * Every event of the product. A service emits one in the transaction of its write; the relay hands it on after commit,
 * at least once. Payloads carry ids, never secrets: a handler that needs a one-time token makes it itself.
 */
export const events = {
  'theme.updated': z.object({}),
  'user.signed_up': z.object({ user_id: id, was_guest: z.boolean(), referral_code: z.string().nullable() }),
  'user.updated': z.object({ user_id: id, fields: z.array(z.string()) }),
  'guest.merged': z.object({ guest_user_id: id, user_id: id }),
  'session.opened': z.object({ session_id: id, user_id: id, method: z.string() }),
  'session.ended': z.object({ session_id: id, user_id: id, reason: z.string() }),
  'sign_in_link.requested': z.object({ user_id: id, return_to: z.string().nullable() }),
  'password_reset.requested': z.object({ user_id: id }),
  'email_confirmation.requested': z.object({ user_id: id, email: z.string() }),
  'credentials.changed': z.object({
    user_id: id,
    what: z.enum(['email', 'password', 'passkey', 'connection']),
    previous_email: z.string().nullable().optional(),
  }),
  'api_key.created': z.object({ user_id: id, api_key_id: id }),
  'api_key.revoked': z.object({ user_id: id, api_key_id: id }),
  'upload.completed': z.object({ upload_id: id }),
  'project.created': z.object({ project_id: id }),
  'project.updated': z.object({ project_id: id, fields: z.array(z.string()) }),
  'project.deleted': z.object({ project_id: id, is_final: z.boolean() }),
  'project.restored': z.object({ project_id: id }),
  'project.cloned': z.object({ project_id: id, clone_id: id }),
  'project.transferred': z.object({ project_id: id, from_user_id: id, to_user_id: id }),
  'project.shared': z.object({ project_id: id, user_id: id, by_user_id: id.nullable() }),
  'project.grant_changed': z.object({ project_id: id, user_id: id }),
  'project.unshared': z.object({ project_id: id, user_id: id }),
  'files.changed': z.object({
    project_id: id,
    file_ids: z.array(id),
    change: z.enum(['created', 'saved', 'moved', 'deleted', 'restored']),
    /** When it was no person: code that runs, or a notebook that is saved by itself. */
    origin: z.enum(['kernel', 'notebook']).optional(),
  }),
  'secret.changed': z.object({ secret_id: id, user_id: id, change: z.enum(['created', 'updated', 'deleted']) }),
  'run.started': z.object({ run_id: id, project_id: id }),
  'run.ended': z.object({ run_id: id, project_id: id, status: z.enum(['succeeded', 'failed', 'aborted']) }),
  'contact.received': z.object({ message_id: id }),
} as const;

export type EventName = keyof typeof events;
export type EventPayload<Name extends EventName> = z.infer<(typeof events)[Name]>;
