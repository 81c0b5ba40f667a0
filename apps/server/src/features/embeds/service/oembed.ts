import { baseName, type EndpointInput, embedCode } from '@atoll/contract';
import { personName } from '@atoll/contract/users/names';
import { anonymous } from '../../../platform/actor.ts';
import type { Context } from '../../../platform/context.ts';
import { AppError, notFound } from '../../../platform/errors.ts';
import { readBySlug } from '../../publications/service/read.ts';
import { currentTheme } from '../../theme/service.ts';
import { findEmbed } from './embeds.ts';

const uuid = '[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}';
const publicationAddress = /^\/(?:publications|reports)\/\w+\/([^/]+)$/;
const canvasAddress = new RegExp(`^/embed/canvas/(${uuid})$`);
const partAddress = new RegExp(`^/embed/(?:(?:file|cell|chart)/)?(${uuid})/(${uuid})/[^/]+$`);

/** oEmbed 1.0: what can be read by everyone, as a frame. */
export async function oembed(
  ctx: Context,
  { url, maxwidth = 800, maxheight = 600, format }: EndpointInput<'embeds', 'oembed'>,
) {
  if (format !== 'json') throw new AppError('not_implemented', 'Only the format json is offered.');
  const { origin } = ctx.config;
  const wanted = new URL(url);
  const found = wanted.origin === origin ? await readable(ctx, wanted) : null;
  if (!found) throw notFound('What this address names');
  const [width, height] = [Math.min(maxwidth, 800), Math.min(maxheight, 600)];
  const { name } = await currentTheme(ctx);
  return {
    version: '1.0' as const,
    type: 'rich' as const,
    title: found.title,
    ...(found.author ? { author_name: found.author } : {}),
    provider_name: name,
    provider_url: origin,
    html: embedCode(origin, { url: origin + found.path, title: found.title, width, height }),
    width,
    height,
    cache_age: 3_600,
  };
}

async function readable(
  ctx: Context,
  { pathname, search }: URL,
): Promise<{ title: string; path: string; author?: string } | null> {
  const slug = publicationAddress.exec(pathname)?.[1];
  if (slug) {
    const publication = await readBySlug(ctx.as(anonymous), slug);
    return {
      title: publication.title,
      path: `/embed/publication/${publication.slug}`,
      author: personName(publication.owner),
    };
  }
  const [, embedId] = canvasAddress.exec(pathname) ?? [];
  const [, projectId, fileId] = partAddress.exec(pathname) ?? [];
  const by = embedId ? { embedId } : projectId && fileId ? { projectId, fileId } : null;
  const embed = by && (await findEmbed(ctx, by));
  return embed ? { title: baseName(embed.file.path), path: pathname + search } : null;
}
