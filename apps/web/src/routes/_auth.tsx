import { createFileRoute } from '@tanstack/react-router';
import { AuthFrame } from '../features/sign-in/components/auth-frame.tsx';

export const Route = createFileRoute('/_auth')({ component: AuthFrame });
