import { useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';

/**
 * The token of a mailed link. It stands behind `#`, which no server sees, and is taken out of the address bar, where it
 * would end up in the history and in screenshots.
 */
export function useOneTimeToken(): string | undefined {
  const [token] = useState(() => new URLSearchParams(location.hash.slice(1)).get('token') ?? undefined);
  const navigate = useNavigate();
  useEffect(() => {
    if (token) navigate({ to: '.', hash: '', replace: true });
  }, [token, navigate]);
  return token;
}
