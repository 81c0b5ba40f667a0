import { createHash, randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { startTestServer } from './test-server.ts';

const client = { id: 'github-client', secret: 'github-secret' };
const token = 'gho_test';

interface TestGithub {
  user: { id: number; login: string; name: string | null; avatar_url: string };
  emails: { email: string; primary: boolean; verified: boolean; visibility: string | null }[];
}

/** GitHub Enterprise's three endpoints, answering as its documentation says; the person there always consents. */
export async function startGithub(github: TestGithub) {
  const codes = new Map<string, { challenge: string; redirectUri: string }>();
  const url = await startTestServer((base) => async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', base);
    const json = (body: unknown, status = 200) => {
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify(body));
    };
    const isAuthorized = request.headers.authorization === `Bearer ${token}` && request.headers['user-agent'];
    switch (pathname) {
      case '/login/oauth/authorize': {
        const code = randomUUID();
        const redirectUri = searchParams.get('redirect_uri') ?? '';
        codes.set(code, { challenge: searchParams.get('code_challenge') ?? '', redirectUri });
        const back = new URL(redirectUri);
        back.search = new URLSearchParams({ code, state: searchParams.get('state') ?? '' }).toString();
        response.writeHead(302, { location: back.href });
        return response.end();
      }
      case '/login/oauth/access_token': {
        const form = new URLSearchParams(await bodyOf(request));
        const granted = codes.get(form.get('code') ?? '');
        codes.delete(form.get('code') ?? '');
        const challenge = createHash('sha256')
          .update(form.get('code_verifier') ?? '')
          .digest('base64url');
        const isClient = form.get('client_id') === client.id && form.get('client_secret') === client.secret;
        if (!isClient) return json({ error: 'incorrect_client_credentials' });
        if (granted?.challenge !== challenge || granted.redirectUri !== form.get('redirect_uri')) {
          return json({
            error: 'bad_verification_code',
            error_description: 'The code passed is incorrect or expired.',
          });
        }
        return json({ access_token: token, scope: 'read:user,user:email', token_type: 'bearer' });
      }
      case '/api/v3/user':
        return isAuthorized ? json(github.user) : json({ message: 'Requires authentication' }, 401);
      case '/api/v3/user/emails':
        return isAuthorized ? json(github.emails) : json({ message: 'Requires authentication' }, 401);
      default:
        return json({ message: 'Not Found' }, 404);
    }
  });
  return { url, env: { GITHUB_URL: url, GITHUB_CLIENT_ID: client.id, GITHUB_CLIENT_SECRET: client.secret } };
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts).toString();
}
