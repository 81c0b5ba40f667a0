import type { FeatureName } from '@atoll/contract/features';
import type { Platform } from '@atoll/contract/platforms';
import type { PublicationDetail } from '@atoll/contract/publications/entity';
import type { Session } from '@atoll/contract/session/entity';
import type { Extension } from '@codemirror/state';
import type { SpotlightActionData } from '@mantine/spotlight';
import type { Icon } from '@tabler/icons-react';
import type { ComponentType } from 'react';
import type { FileRouteTypes } from '../../routeTree.gen.ts';
import type { DocumentKind } from './document-kind.ts';
import type { Panel } from './panel.ts';

/** An address without parameters. Checked against the routes, so nothing can lead nowhere. */
export type PagePath = Exclude<FileRouteTypes['to'], `${string}$${string}`>;

export const navigationGroups = { work: 'Work', trading: 'Trading', people: 'People' } as const;
export type NavigationGroup = keyof typeof navigationGroups;

/** One place in the workspace. */
export interface NavigationEntry {
  label: string;
  icon: Icon;
  to: PagePath;
  /** A group of the sidebar; `account` is the account menu, `about` the links about the product. */
  group: NavigationGroup | 'account' | 'about';
  isForMembers?: boolean;
  /** A place for writing: variants of the product for reading do not show it to guests. */
  isEditor?: boolean;
  /** The variant of the product for this place: there it comes first in its group, and its group first in the sidebar. */
  leadsOn?: Platform;
}

interface CommandGroup {
  group: string;
  actions: SpotlightActionData[];
}

/** A hook that returns the entries of the command palette for the typed text. */
export type UseCommands = (query: string) => CommandGroup[];

interface TabFrame {
  id: string;
  label: string;
  icon?: Icon;
}

/** The list of projects with this parameter in its address. */
export interface ProjectListTab extends TabFrame {
  search: object;
  component?: never;
}

/** A list of other things, at `?tab=` and its id. */
export interface OtherListTab extends TabFrame {
  component: ComponentType;
}

export type ProjectTab = ProjectListTab | OtherListTab;

/** A page of a person's own settings, at `/profile?section=` and its id. */
export interface SettingsPage {
  id: string;
  label: string;
  description: string;
  isForGuests?: boolean;
  component: ComponentType;
}

/** A page that only admins see. */
export interface AdminPage {
  label: string;
  icon: Icon;
  to: PagePath;
}

/** A section beside the pages of a report: its recipients, and the sent mails. */
export interface ReportSection {
  id: string;
  component: ComponentType<{ publication: PublicationDetail }>;
}

/** A part inside of a notebook's cell, for people who edit it, until it is closed. */
export interface CellPart {
  id: string;
  label: string;
  icon: Icon;
  component: ComponentType<{ cellId: string; onClose(): void }>;
}

/** Completion and documentation in the editor, for texts that use our own interfaces. */
export interface CodeHelp {
  extensions: string[];
  isFor(text: string): boolean;
  load(name: string): Promise<Extension>;
}

/** Parts that the first page does not need; components are `lazy`. */
export interface FeatureParts {
  reportSections?: ReportSection[];
  settingsPages?: SettingsPage[];
  documents?: DocumentKind[];
  panels?: Panel[];
  cellParts?: CellPart[];
  codeHelp?: CodeHelp[];
}

/** A feature's entries for the shared places. Every visitor downloads this first, so it imports no component. */
export interface WebFeature {
  name: string;
  /** A person for whom the flag is off sees none of this. Documents stay, because a shared file can be opened. */
  flag?: FeatureName;
  navigation?: NavigationEntry[];
  adminPages?: AdminPage[];
  projectTabs?: ProjectTab[];
  /** Imported when the command palette opens. */
  commands?: () => Promise<UseCommands>;
  /** Imported beside the first page. */
  parts?: () => Promise<FeatureParts>;
  /** A hook that keeps what this feature has loaded up to date, on every page of the workspace. */
  useLive?: (userId: string) => void;
}

export type Viewer = Pick<Session, 'is_admin' | 'is_guest' | 'features'>;

export const isOn = ({ flag }: WebFeature, { features }: Pick<Session, 'features'>): boolean =>
  !flag || features?.[flag]?.enabled === true;
