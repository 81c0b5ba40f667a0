import { createFileRoute } from '@tanstack/react-router';
import { Shell } from '../features/shell/components/shell.tsx';

export const Route = createFileRoute('/_shell')({ component: Shell });
