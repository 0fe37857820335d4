// Requests to the node's API: JSON in and out, and errors as sentences for people.
import { text } from './text.js';

export class Failure extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

export function goToLogin() {
  if (location.pathname === '/login') return;
  location.replace('/login?next=' + encodeURIComponent(location.pathname + location.search));
}

async function request(path, options, seconds) {
  let response;
  try {
    response = await fetch(path, { ...options, cache: 'no-store', signal: AbortSignal.timeout(seconds * 1000) });
  } catch {
    throw new Failure(0, text.unreachable);
  }
  // An answer without JSON comes from something between the browser and the node.
  const body = await response.json().catch(() => null);
  if (response.ok && body !== null) return body;
  if (response.status === 401) goToLogin();
  let message = body?.error?.message ?? text.strange_answer.replace('{status}', response.status);
  const wait = response.headers.get('Retry-After');
  if (response.status === 429 && wait) message += ' ' + text.wait_seconds.replace('{n}', wait);
  throw new Failure(response.status, message);
}

export function get(path, query = {}, seconds = 20) {
  const given = Object.entries(query).filter(([, value]) => value !== '' && value != null);
  const search = given.length ? '?' + new URLSearchParams(given) : '';
  return request('/api/v1/' + path + search, {}, seconds);
}

export function post(path, body) {
  const headers = { 'Content-Type': 'application/json' };
  return request('/api/v1/' + path, { method: 'POST', headers, body: JSON.stringify(body) }, 20);
}
