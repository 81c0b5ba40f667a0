import type { EndpointInput, Theme, ThemePicture, ThemeUpdate } from '@atoll/contract';
import { eq } from 'drizzle-orm';
import { changesOf } from '../../platform/action-log/changes.ts';
import { recordAction } from '../../platform/action-log/record.ts';
import type { Context } from '../../platform/context.ts';
import { type PreparedPicture, preparePicture, publishPicture, retirePicture } from '../uploads/service/pictures.ts';
import { assetUrl } from '../uploads/view.ts';
import { defaultTheme } from './defaults.ts';
import { type ThemeRow, themes } from './table.ts';

const pictureBox = { width: 1024, height: 512, isSquare: false, mayBeSvg: true };

export async function currentTheme(ctx: Pick<Context, 'db' | 'config'>): Promise<Theme> {
  const [row] = await ctx.db.select().from(themes).where(eq(themes.platform, ctx.config.platform));
  return composeTheme(ctx, row ?? null);
}

export async function updateTheme(ctx: Context, change: EndpointInput<'theme', 'update'>): Promise<Theme> {
  const { platform } = ctx.config;
  const chosen = Object.entries(change.upload_ids).filter(([, uploadId]) => uploadId !== undefined) as [
    ThemePicture,
    string | null,
  ][];
  const prepared = new Map<ThemePicture, PreparedPicture | null>();
  for (const [name, uploadId] of chosen) {
    prepared.set(
      name,
      uploadId === null ? null : await preparePicture(ctx, uploadId, `upload_ids.${name}`, pictureBox),
    );
  }
  return ctx.write(async (write) => {
    const { tx, emit } = write;
    await tx
      .insert(themes)
      .values({ platform, overrides: {}, pictures: {}, updatedAt: ctx.now() })
      .onConflictDoNothing();
    const [stored] = await tx.select().from(themes).where(eq(themes.platform, platform)).for('update');
    const pictures = { ...stored?.pictures };
    for (const [name, picture] of prepared) {
      await retirePicture(tx, pictures[name]);
      pictures[name] = picture && (await publishPicture(ctx, tx, picture));
    }
    const row: ThemeRow = {
      platform,
      overrides: mergeUpdates(stored?.overrides ?? {}, change.update),
      pictures,
      updatedAt: ctx.now(),
    };
    await tx.insert(themes).values(row).onConflictDoUpdate({ target: themes.platform, set: row });
    const { isSame, ...changes } = changesOf(composeFields(ctx, stored ?? null), composeFields(ctx, row));
    if (!isSame) await recordAction(ctx, write, { action: 'theme.updated', subject: about(platform), ...changes });
    await emit('theme.updated', {});
    return composeTheme(ctx, row);
  });
}

export async function resetTheme(ctx: Context): Promise<Theme> {
  return ctx.write(async (write) => {
    const { tx, emit } = write;
    const { platform } = ctx.config;
    const [row] = await tx.delete(themes).where(eq(themes.platform, platform)).returning();
    for (const assetId of Object.values(row?.pictures ?? {})) await retirePicture(tx, assetId);
    const changes = changesOf(composeFields(ctx, row ?? null), composeFields(ctx, null));
    await recordAction(ctx, write, { action: 'theme.reset', subject: about(platform), ...changes });
    await emit('theme.updated', {});
    return composeTheme(ctx, null);
  });
}

const about = (platform: string) => ({ type: 'theme', id: platform });
const composeFields = (ctx: Context, row: ThemeRow | null): Record<string, unknown> => ({ ...composeTheme(ctx, row) });

/** Later changes win, field by field within the groups. */
function mergeUpdates(base: ThemeUpdate, update: ThemeUpdate): ThemeUpdate {
  return {
    ...base,
    ...update,
    palettes: {
      light: { ...base.palettes?.light, ...update.palettes?.light },
      dark: { ...base.palettes?.dark, ...update.palettes?.dark },
    },
    themes: {
      light: { ...base.themes?.light, ...update.themes?.light },
      dark: { ...base.themes?.dark, ...update.themes?.dark },
    },
    theme_names: { ...base.theme_names, ...update.theme_names },
    texts: { ...base.texts, ...update.texts },
  };
}

function composeTheme(ctx: Pick<Context, 'config'>, row: ThemeRow | null): Theme {
  const { platform, url } = ctx.config;
  const base = defaultTheme(platform, url);
  const { overrides = {}, pictures = {} } = row ?? {};
  const picture = (name: ThemePicture) => {
    const chosen = pictures[name];
    return chosen === undefined ? base[name] : assetUrl(chosen);
  };
  return {
    ...base,
    ...overrides,
    // A new name of the product is also the name in page titles, unless that has one of its own.
    web_name: overrides.web_name ?? overrides.name ?? base.web_name,
    palettes: {
      light: { ...base.palettes.light, ...overrides.palettes?.light },
      dark: { ...base.palettes.dark, ...overrides.palettes?.dark },
    },
    themes: {
      light: { ...base.themes.light, ...overrides.themes?.light },
      dark: { ...base.themes.dark, ...overrides.themes?.dark },
    },
    theme_names: { ...base.theme_names, ...overrides.theme_names },
    texts: { ...base.texts, ...overrides.texts },
    logo: picture('logo'),
    logo_with_name: picture('logo_with_name'),
    dark_logo: picture('dark_logo'),
    dark_logo_with_name: picture('dark_logo_with_name'),
    email_logo: picture('email_logo'),
    light_watermark: picture('light_watermark'),
    dark_watermark: picture('dark_watermark'),
  };
}
