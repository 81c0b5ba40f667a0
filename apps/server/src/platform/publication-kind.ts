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

/** The part of the document to show, and the kind of page. */
export interface PublishedPart {
  cellId?: string;
  cellIds?: readonly string[];
  /** Paper cannot open or load more, so all content is shown. */
  isPrinted?: boolean;
  /** The page contains the data that a script draws, because it has no other way to load it. */
  hasCharts: boolean;
  /** The document as it stands on its canvas: all of it, each frame on a page, or one frame. */
  sheets?: 'board' | 'frames' | { frameId: string };
}

/**
 * How one kind of document is published. Its feature provides it, because publications know no kinds. The context is a type
 * parameter, because it contains these kinds itself.
 */
export interface PublicationKind<Context> {
  contentKind: ContentKind;
  /** The publication types it can have, the usual one first. */
  types: readonly [PublicationType, ...PublicationType[]];
  takes(file: Pick<PublishedFile, 'path'>): boolean;
  /** The newest content of the file, saved, so that a version of the publication can be created from it. */
  newest(ctx: Context, file: PublishedFile): Promise<{ blob: string; fileVersionId: string }>;
  /**
   * The files of a reader's copy, where the content itself is no file: the document that is opened, and files beside it.
   */
  copy?(ctx: Context, blob: string, path: string): Promise<[CopiedFile, ...CopiedFile[]]>;
  /** The outputs of the article that only a script can draw. */
  liveOutputs(ctx: Context, blob: string, payload: PublicationPayload): Promise<LiveOutput[]>;
  /** The first picture that a cell shows, to be rendered again as the cover. */
  picture(ctx: Context, blob: string, cellId: string): Promise<Buffer | null>;
  /** Pictures of other servers, where the kind has some. */
  pictures?: {
    /** Reads the pictures' addresses, and those that are stored with the content. */
    read(
      ctx: Context,
      blob: string,
      payload?: PublicationPayload,
    ): Promise<{ addresses: readonly string[]; kept: ReadonlyMap<string, KeptPicture> }>;
    /** Writes the content with these pictures stored; returns its blob. */
    write(ctx: Context, blob: string, pictures: KeptPictures): Promise<string>;
  };
  /** The readable article of one part or of all of it: sanitised, and complete without scripts. */
  render(
    ctx: Context,
    blob: string,
    payload: PublicationPayload,
    part?: PublishedPart,
  ): Promise<{ html: string; toc: TocEntry[] }>;
}
