import { jwtVerify, SignJWT } from 'jose';
import type { Context } from '../../../platform/context.ts';

/** What a page that is drawn by the renderer may show: one version of one publication, printed in one way. */
export interface RenderGrant {
  publicationId: string;
  versionId: string;
  /** Of everything that is printed. */
  key: string;
}

const audience = 'render';
/** As long as the renderer may take to begin. */
const life = 120;

export async function renderToken(ctx: Context, { publicationId, versionId, key }: RenderGrant): Promise<string> {
  const [signing] = ctx.config.secretKeys;
  if (!signing) throw new Error('There is no key to sign with');
  const now = Math.floor(ctx.now().getTime() / 1_000);
  return new SignJWT({ version: versionId, key })
    .setProtectedHeader({ alg: 'HS256' })
    .setAudience(audience)
    .setSubject(publicationId)
    .setExpirationTime(now + life)
    .sign(signing);
}

/** Null for anything else than a token of ours that is still good. */
export async function grantIn(ctx: Context, token: string): Promise<RenderGrant | null> {
  for (const key of ctx.config.secretKeys) {
    try {
      const { payload } = await jwtVerify(token, key, { audience, algorithms: ['HS256'], currentDate: ctx.now() });
      return { publicationId: String(payload.sub), versionId: String(payload.version), key: String(payload.key) };
    } catch {
      // Another key, expired, or nothing of ours.
    }
  }
  return null;
}
