import { IconChartCandle } from '@tabler/icons-react';
import { lazyPart } from '../../platform/features/lazy-part.ts';
import type { FeatureParts } from '../../platform/features/web-feature.ts';
import { codeView } from '../files/kinds.ts';

export const strategiesParts: FeatureParts = {
  documents: [
    {
      id: 'strategy',
      extensions: ['strat'],
      icon: IconChartCandle,
      projectKind: 'strategy',
      views: [
        {
          id: 'strategy',
          label: 'Strategy',
          isWithoutText: true,
          component: lazyPart(() => import('./components/strategy-pane.tsx'), 'StrategyPane'),
        },
        { ...codeView, label: 'Raw' },
      ],
      isRunInside: true,
      isPublishable: true,
    },
  ],
  codeHelp: [
    {
      extensions: ['ts', 'py'],
      isFor: (text) => /\bexport\s+default\s+strategy\b|\batoll_strategy\b/.test(text),
      load: async (name) => (await import('./editor/strategy-help.ts')).strategyHelp(name.endsWith('.py')),
    },
  ],
};
