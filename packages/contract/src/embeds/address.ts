/** What of a file is shown: all of it, a cell with its code, or what a cell shows. */
export const embedTypes = ['file', 'cell', 'chart'] as const;
export type EmbedType = (typeof embedTypes)[number];

/** The address of what is embedded. */
export const embedPath = (type: EmbedType, projectId: string, fileId: string, entityId: string): string =>
  `/embed/${type}/${projectId}/${fileId}/${encodeURIComponent(entityId)}`;

/** Where a reader runs a copy of it. */
export const embedRunPath = (embedId: string): string => `/run/${embedId}`;

const attribute = (text: string) => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

interface EmbedFrame {
  /** With its origin. */
  url: string;
  title: string;
  width?: number;
  height?: number;
}

/** What an author puts into their page: the frame, and the script that makes it as tall as what is in it. */
export const embedCode = (origin: string, { url, title, width, height = 400 }: EmbedFrame): string =>
  `<iframe src="${attribute(url)}" title="${attribute(title)}" width="${width ?? '100%'}" height="${height}" style="border:0" loading="lazy" data-atoll-embed></iframe>
<script async src="${attribute(origin)}/assets/embed.js"></script>`;
