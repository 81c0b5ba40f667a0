import { IconCalendarClock } from '@tabler/icons-react';
import type { WebFeature } from '../../platform/features/web-feature.ts';
import { useSchedulesLive } from './live.ts';

export const schedulesFeature: WebFeature = {
  name: 'schedules',
  flag: 'schedule',
  navigation: [{ label: 'Automation', icon: IconCalendarClock, to: '/automation', group: 'work', isForMembers: true }],
  useLive: useSchedulesLive,
};
