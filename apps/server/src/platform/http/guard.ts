import { type EndpointMeta, errorText, type Permission } from '@atoll/contract';
import type { Context } from '../context.ts';
import { type AppError, denied, unauthorized } from '../errors.ts';
import { checkFlag } from '../flags/check-flag.ts';

/** An admin who acts as another person may only read; these permissions only concern the mask and its connection. */
const permittedWhileMasked: Permission[] = ['admin.unmask', 'session.close', 'session.connect'];

/** All checks of a call before its handler runs: rate, API-key scope, mask, permission, flag. */
export async function guard(ctx: Context, meta: EndpointMeta): Promise<void> {
  const { ip } = ctx.credentials;
  await ctx.limits.take(meta.limit, ctx.actor.userId ?? ip);
  // Signing in is limited by address too; otherwise each new guest would get a new allowance.
  const isByAddressToo = meta.limit === 'sign_in' || meta.limit === 'mail';
  if (isByAddressToo && ctx.actor.userId) await ctx.limits.take(meta.limit, ip);

  const { actor } = ctx;
  if (actor.via === 'api_key') {
    if (meta.keyScope === 'never') throw denied('no_permissions', 'An API key cannot do this. Sign in instead.');
    if (meta.keyScope === 'write' && !actor.keyScopes.includes('write')) {
      throw denied('no_permissions', 'This API key may only read.');
    }
  }

  checkMask(ctx, meta);
  checkPermission(ctx, meta.permission);
  checkFlag(ctx, meta.flag);
}

/** Refuses calls that write while masked; `ctx.write` refuses the writes of a call that only reads. */
export function checkMask(
  ctx: Context,
  { permission, isWriting }: Pick<EndpointMeta, 'permission' | 'isWriting'>,
): void {
  if (permittedWhileMasked.includes(permission)) ctx.permitMaskedWrites();
  else if (isWriting) ctx.assertUnmasked();
}

/** Checks the part of a permission's rule that needs no row; the part that needs one is noted as pending. */
export function checkPermission(ctx: Context, permission: Permission): void {
  const { actor } = ctx;
  const rule = ctx.policy[permission];
  const verdict = rule?.actor(actor) ?? 'no_permissions';
  if (verdict !== true) {
    if (ctx.credentialProblem) throw problemError(ctx);
    if (actor.kind === 'anonymous') throw unauthorized();
    const message =
      verdict === 'reauthentication_required'
        ? 'Confirm your identity: sign in again to do this.'
        : actor.kind === 'guest'
          ? 'Sign in to do this.'
          : 'You do not have permission to do this.';
    throw denied(verdict, message);
  }
  ctx.pendingRowCheck = rule?.row ? permission : null;
}

export function problemError(ctx: Context): AppError {
  switch (ctx.credentialProblem) {
    case 'expired':
      return unauthorized(errorText.sessionTimeout);
    case 'suspended':
      return denied('no_permissions', ctx.suspensionMessage ?? 'This account is suspended.');
    default:
      return unauthorized(errorText.authenticationFailed);
  }
}
