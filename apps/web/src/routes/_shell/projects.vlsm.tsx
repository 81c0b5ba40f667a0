import { createFileRoute } from '@tanstack/react-router';
import { TemplateStart } from '../../features/projects/new/template-start.tsx';

export const Route = createFileRoute('/_shell/projects/vlsm')({
  staticData: { title: 'Subnet planning' },
  component: () => <TemplateStart template="vlsm" title="Subnet planning" />,
});
