import { useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';

/** Takes the token out of the address bar, where it would end up in the history and in screenshots. */
export function useOneTimeToken(token: string | undefined): string | undefined {
  const [kept] = useState(token);
  const navigate = useNavigate();
  useEffect(() => {
    if (token) navigate({ to: '.', search: {}, replace: true });
  }, [token, navigate]);
  return kept;
}
