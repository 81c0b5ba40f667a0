import type { ProjectFile } from '@atoll/contract/files/entity';
import { extensionOf, type ProjectKind } from '@atoll/contract/projects/kinds';
import type { Icon } from '@tabler/icons-react';
import type { ComponentType } from 'react';

export interface DocumentViewProps {
  file: ProjectFile;
  canEdit: boolean;
  /** Leads to the file's text, where it can be edited as text. */
  onText?: () => void;
}

/** One way to show a file. */
export interface DocumentView {
  /** As it stands in the address: `?view=`. */
  id: string;
  label: string;
  component: ComponentType<DocumentViewProps>;
  fits?(file: Pick<ProjectFile, 'size'>): boolean;
  /** Here the file's text is edited. */
  isTextEditor?: boolean;
  /** Draws something else than the file's text, and says itself whether that is saved. */
  isWithoutText?: boolean;
}

/**
 * A kind of file. What only one kind would have and nothing reads yet is not here: pictures of a document are added with
 * the first reader (docs/recipes/add-a-document-kind.md).
 */
export interface DocumentKind {
  id: string;
  /** How it is recognised, in small letters; `*` stands for every file that no other kind claims. */
  extensions: readonly string[];
  icon: Icon;
  /** In the order of the control that changes between them. */
  views: readonly DocumentView[];
  /** The id of the view it opens in, unless that is the first one. */
  first?: string;
  /** Which kind of project has it as its main file: "New project" offers it, and the server writes the empty document. */
  projectKind?: ProjectKind;
  /** Kinds of file it can be downloaded as. */
  exports?: readonly { format: string; label: string }[];
  /** How its versions are read and compared, where that is not done by text. */
  versions?: {
    read: ComponentType<{ file: ProjectFile; versionId: string }>;
    compare: ComponentType<{ file: ProjectFile; leftId: string; rightId: string }>;
  };
  /** Its views have a Run button of their own, for what is seen. */
  isRunInside?: boolean;
  /** Whether the server can make a publication of it. */
  isPublishable?: boolean;
}

export function documentKindOf(kinds: readonly DocumentKind[], name: string): DocumentKind | undefined {
  const extension = extensionOf(name);
  const [both] = /[^./\\]+\.[^./\\]+$/.exec(name.toLowerCase()) ?? [];
  return (
    kinds.find(({ extensions }) => both !== undefined && extensions.includes(both)) ??
    kinds.find(({ extensions }) => extensions.includes(extension)) ??
    kinds.find(({ extensions }) => extensions.includes('*'))
  );
}

/** The views this file has, in their order. */
export const viewsOf = (kind: DocumentKind | undefined, file: Pick<ProjectFile, 'size'>): DocumentView[] =>
  kind?.views.filter(({ fits }) => !fits || fits(file)) ?? [];

/** The one that was asked for, the one it opens in, or whichever there is. */
export function shownView(kind: DocumentKind | undefined, views: DocumentView[], asked?: string) {
  const find = (id: string | undefined) => views.find((view) => view.id === id);
  return find(asked) ?? find(kind?.first) ?? views[0];
}

export const isTextEditable = (kind: DocumentKind | undefined, file: Pick<ProjectFile, 'size'>): boolean =>
  viewsOf(kind, file).some(({ isTextEditor }) => isTextEditor);
