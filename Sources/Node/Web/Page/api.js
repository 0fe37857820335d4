// Requests to the node's API: JSON in and out, and errors as sentences for people.
import { translated } from './sentences.js';
import { text } from './text.js';

class Failure extends Error {
  constructor(status, message, code) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

async function request(path, options, seconds, kind = 'json') {
  let response;
  try {
    const signal = AbortSignal.timeout(seconds * 1000);
    response = await fetch('/api/v1/' + path, { ...options, cache: 'no-store', signal });
  } catch {
    throw new Failure(0, text.unreachable);
  }
  // An answer without JSON comes from something between the browser and the node.
  const body = await response[response.ok ? kind : 'json']().catch(() => null);
  if (response.ok && body !== null) {
    // A list may end before its end: the header counts all of it.
    if (Array.isArray(body)) body.total = response.headers.get('X-Total-Count') ?? String(body.length);
    return body;
  }
  if (response.status === 401 && !['/login', '/member'].includes(location.pathname)) {
    location.replace('/login?next=' + encodeURIComponent(location.pathname + location.search));
  }
  const message = translated(body?.error?.message) ?? text.strange_answer.replace('{status}', response.status);
  throw new Failure(response.status, message, body?.error?.code);
}

export function get(path, query = {}, seconds = 20) {
  const given = Object.entries(query).filter(([, value]) => value !== '' && value != null);
  return request(path + (given.length ? '?' + new URLSearchParams(given) : ''), {}, seconds);
}

export const getBlob = (path) => request(path, {}, 5, 'blob');

export function post(path, body) {
  const headers = { 'Content-Type': 'application/json' };
  // What is sent while the page is left arrives.
  return request(path, { method: 'POST', headers, body: JSON.stringify(body), keepalive: true }, 20);
}
