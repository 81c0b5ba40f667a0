import { featureOfKind, type ProjectKind } from '@atoll/contract/projects/kinds';
import type { Session } from '@atoll/contract/session/entity';
import {
  type Icon,
  IconChartCandle,
  IconChartHistogram,
  IconFileAnalytics,
  IconLayoutBoard,
  IconMessages,
  IconNotebook,
  IconRobot,
  IconSitemap,
  IconSparkles,
} from '@tabler/icons-react';
import type { DocumentKind } from '../../platform/features/document-kind.ts';

interface KindWords {
  label: string;
  text: string;
  icon: Icon;
}

export const kindWords: Record<ProjectKind, KindWords> = {
  notebook: { label: 'Notebook', text: 'Code, text and results, cell by cell', icon: IconNotebook },
  canvas: { label: 'Canvas', text: 'A free board of cells, charts and text', icon: IconLayoutBoard },
  pipeline: { label: 'Pipeline', text: 'Connected steps and agents', icon: IconSitemap },
  pasa: {
    label: 'Analysis',
    text: 'Inputs and results as a page and an API',
    icon: IconFileAnalytics,
  },
  strategy: {
    label: 'Strategy',
    text: 'Trading rules to test and to run',
    icon: IconChartCandle,
  },
  agent: { label: 'Agent', text: 'An AI agent with tools', icon: IconRobot },
  chat: { label: 'Chat', text: 'Chat with a model about your files', icon: IconMessages },
  ai: { label: 'AI app', text: 'Describe an app and let AI build it', icon: IconSparkles },
  bi: {
    label: 'BI dashboard',
    text: 'Questions, charts and a board over data',
    icon: IconChartHistogram,
  },
};

/** The kinds that are switched on for this person. */
export const enabledKinds = ({ features }: Pick<Session, 'features'>): ProjectKind[] =>
  (Object.keys(kindWords) as ProjectKind[]).filter((kind) => features?.[featureOfKind[kind]]?.enabled === true);

/** The kinds this person may create: those with an editor of their own. The others exist as files only. */
export const offeredKinds = (session: Pick<Session, 'features'>, documents: readonly DocumentKind[]): ProjectKind[] =>
  enabledKinds(session).filter((kind) => documents.some(({ projectKind }) => projectKind === kind));
