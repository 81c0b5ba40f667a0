import type { FeatureName } from '@atoll/contract/features';
import type { ProjectKind } from '@atoll/contract/projects/kinds';
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
  feature?: FeatureName;
}

export const kindWords: Record<ProjectKind, KindWords> = {
  notebook: { label: 'Notebook', text: 'Code, text and results, cell by cell', icon: IconNotebook },
  canvas: { label: 'Canvas', text: 'A free board of cells, charts and text', icon: IconLayoutBoard, feature: 'canvas' },
  pipeline: { label: 'Pipeline', text: 'Connected steps and agents', icon: IconSitemap, feature: 'pipeline' },
  pasa: {
    label: 'Analysis',
    text: 'Inputs and results as a page and an API',
    icon: IconFileAnalytics,
    feature: 'pasa',
  },
  strategy: {
    label: 'Strategy',
    text: 'Trading rules to test and to run',
    icon: IconChartCandle,
    feature: 'strategies',
  },
  agent: { label: 'Agent', text: 'An AI agent with tools', icon: IconRobot, feature: 'agent' },
  chat: { label: 'Chat', text: 'Chat with a model about your files', icon: IconMessages, feature: 'chat' },
  ai: { label: 'AI app', text: 'Describe an app and let AI build it', icon: IconSparkles, feature: 'ai' },
  bi: {
    label: 'BI dashboard',
    text: 'Questions, charts and a board over data',
    icon: IconChartHistogram,
    feature: 'bi',
  },
};

/** The kinds that are switched on for this person. */
export const enabledKinds = ({ features }: Pick<Session, 'features'>): ProjectKind[] =>
  (Object.keys(kindWords) as ProjectKind[]).filter((kind) => {
    const { feature } = kindWords[kind];
    return !feature || features?.[feature]?.enabled === true;
  });

/** The kinds this person may create: those with an editor of their own. The others exist as files only. */
export const offeredKinds = (session: Pick<Session, 'features'>, documents: readonly DocumentKind[]): ProjectKind[] =>
  enabledKinds(session).filter((kind) => documents.some(({ projectKind }) => projectKind === kind));
