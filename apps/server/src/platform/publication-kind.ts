import type { ContentKind, LiveOutput, PublicationPayload, PublicationType, TocEntry } from '@atoll/contract';

import type { KeptPicture, KeptPictures } from '@atoll/notebook/kept-pictures';

/** The file that is to be published. */
export interface PublishedFile {
  id: string;
  projectId: string;
  path: string;
}

/** A file of a reader's copy. */
export interface CopiedFile {
  path: string;
  content: { blob: string; size: number };
}

/** What of it, and for which page. */
export interface PublishedPart {
  cellId?: string;
  cellIds?: readonly string[];
  /** On paper nothing opens or loads more: all that is there is shown. */
  isPrinted?: boolean;
  /** What a script draws is in the page as data, for a page that has no other way to it. */
  hasCharts: boolean;
  /** As it stands on its canvas: all of it, each frame on a page, or one frame. */
  sheets?: 'board' | 'frames' | { frameId: string };
}

/** How one kind of document is published. Its feature brings it; publications know no kind. The context is a parameter, because it holds these itself. */
export interface PublicationKind<Context> {
  contentKind: ContentKind;
  /** What it can be published as, the usual one first. */
  types: readonly [PublicationType, ...PublicationType[]];
  takes(file: Pick<PublishedFile, 'path'>): boolean;
  /** The newest content of the file, saved: a version of the publication is made of it. */
  newest(ctx: Context, file: PublishedFile): Promise<{ blob: string; fileVersionId: string }>;
  /**
   * What a reader's copy has in place of the content itself, where that is no file: the document that is opened, and
   * files beside it.
   */
  copy?(ctx: Context, blob: string, path: string): Promise<[CopiedFile, ...CopiedFile[]]>;
  /** What of the article only a script can draw. */
  liveOutputs(ctx: Context, blob: string, payload: PublicationPayload): Promise<LiveOutput[]>;
  /** The first picture that a part of it shows, to be drawn anew as the cover. */
  picture(ctx: Context, blob: string, cellId: string): Promise<Buffer | null>;
  /** Pictures of other servers, where the kind has some. */
  pictures?: {
    /** Their addresses, and what is kept with the content. */
    read(
      ctx: Context,
      blob: string,
      payload?: PublicationPayload,
    ): Promise<{ addresses: readonly string[]; kept: ReadonlyMap<string, KeptPicture> }>;
    /** The content with these kept; answers its blob. */
    write(ctx: Context, blob: string, pictures: KeptPictures): Promise<string>;
  };
  /** The readable article: sanitised, complete without scripts. Of one part, or of all of it. */
  render(
    ctx: Context,
    blob: string,
    payload: PublicationPayload,
    part?: PublishedPart,
  ): Promise<{ html: string; toc: TocEntry[] }>;
}
