import { IconSparkles } from '@tabler/icons-react';
import { lazyPart } from '../../platform/features/lazy-part.ts';
import type { FeatureParts } from '../../platform/features/web-feature.ts';

export const parts: FeatureParts = {
  panels: [
    {
      id: 'assistant',
      label: 'Assistant',
      icon: IconSparkles,
      place: 'inside',
      kinds: ['notebook', 'canvas'],
      hasButton: true,
      isForEditing: true,
      component: lazyPart(() => import('./components/assistant-panel.tsx'), 'AssistantPanel'),
    },
  ],
  cellParts: [
    {
      id: 'assistant',
      label: 'Write with AI',
      icon: IconSparkles,
      component: lazyPart(() => import('./components/cell-assistant.tsx'), 'CellAssistant'),
    },
  ],
  settingsPages: [
    {
      id: 'ai',
      label: 'AI',
      description: 'Models with keys of your own',
      component: lazyPart(() => import('./components/models-section.tsx'), 'OwnModels'),
    },
  ],
};
