import type { ProjectFile } from '@atoll/contract/files/entity';
import { extensionOf, type ProjectKind } from '@atoll/contract/projects/kinds';
import type { Icon } from '@tabler/icons-react';
import type { ComponentType } from 'react';

export interface DocumentViewProps {
  file: ProjectFile;
  canEdit: boolean;
  /** Opens the file's text, where it can be edited as text. */
  onText?: () => void;
}

/** One way to show a file. */
export interface DocumentView {
  /** The id in the address: `?view=`. */
  id: string;
  label: string;
  component: ComponentType<DocumentViewProps>;
  fits?(file: Pick<ProjectFile, 'size'>): boolean;
  /** The view edits the file's text. */
  isTextEditor?: boolean;
  /** The view does not edit the file's text, and shows its own saving state. */
  isWithoutText?: boolean;
}

/**
 * A kind of file. A field that only one kind would have and no code reads yet is not here: pictures of a document are added
 * with their first reader (docs/recipes/add-a-document-kind.md).
 */
export interface DocumentKind {
  id: string;
  /** The endings of its file names, in lower case; `*` stands for every file that no other kind claims. */
  extensions: readonly string[];
  icon: Icon;
  /** The views, in the order of the control that switches between them. */
  views: readonly DocumentView[];
  /** The id of the default view, unless that is the first one. */
  first?: string;
  /** The kind of project with this main file: "New project" offers it, and the server writes the empty document. */
  projectKind?: ProjectKind;
  /** The formats in which it can be downloaded. */
  exports?: readonly { format: string; label: string }[];
  /** Reads and compares its versions, where that is not done by text. */
  versions?: {
    read: ComponentType<{ file: ProjectFile; versionId: string }>;
    compare: ComponentType<{ file: ProjectFile; leftId: string; rightId: string }>;
  };
  /** Its views have a Run button of their own, for their contents. */
  isRunInside?: boolean;
  /** Whether the server can publish it. */
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

/** The views of this file, in their order. */
export const viewsOf = (kind: DocumentKind | undefined, file: Pick<ProjectFile, 'size'>): DocumentView[] =>
  kind?.views.filter(({ fits }) => !fits || fits(file)) ?? [];

/** Returns the requested view, the default one, or the first. */
export function shownView(kind: DocumentKind | undefined, views: DocumentView[], asked?: string) {
  const find = (id: string | undefined) => views.find((view) => view.id === id);
  return find(asked) ?? find(kind?.first) ?? views[0];
}

export const isTextEditable = (kind: DocumentKind | undefined, file: Pick<ProjectFile, 'size'>): boolean =>
  viewsOf(kind, file).some(({ isTextEditor }) => isTextEditor);
