// The one place that talks to the API. Paths are those below the administration's, or with a slash those of the API; all
// addresses are relative to where the pages are mounted.
import {escaped} from './characters.js';

const ROOT = new URL('../', location.href.split('#')[0]);
const TIMEOUT = 20_000;
const MAX_CALLS = 12;

/** A problem document, or that the API couldn't be reached. */
export class Problem extends Error {
  constructor(status, document) {
    super(document.detail ?? document.title ?? `Status ${status}`);
    this.status = status;
    this.document = document;
  }

  /** The mistakes by field, as [{field, rule}]. */
  get mistakes() {
    const {problems, field, rule} = this.document;
    const all = Array.isArray(problems) && problems.every(each => each && typeof each === 'object') ? problems : field ? [{field, rule}] : [];
    return all.map(each => ({...each, field: each.field?.replace(/^changes\[\d+\]\.(rule\.)?/, '')}));
  }
}

let signInAgain = null;
let caller = null;
let calls = [];

/** Sets the function that asks to sign in when a session has ended; it returns whether somebody has. */
export function onSignedOut(ask) {
  signInAgain = ask;
}

/** Sets the name of whom this page believes to be signed in; null for nobody. */
export function callAs(name) {
  caller = name;
}

export function forgetCalls() {
  calls = [];
}

/** The calls of this page, the latest first. */
export function recentCalls() {
  return [...calls].reverse();
}

function remember(call) {
  if (call.query?.dryRun) return;
  calls = calls.filter(each => each.method !== call.method || each.path !== call.path);
  calls.push(call);
  if (calls.length > MAX_CALLS) calls.shift();
}

/** The address of a path, with a query. */
export function address(path, query) {
  const url = new URL(path.startsWith('/') ? path.slice(1) : `admin/ratelimit/${path}`, ROOT);
  for (const [key, value] of Object.entries(query ?? {})) {
    if (value != null && value !== '') url.searchParams.set(key, value);
  }
  return url.href;
}

/** Calls the API and returns {data, etag}. Throws a Problem. */
export async function call(method, path, options = {}) {
  const {query, body, ifMatch, signal, quiet, token} = options;
  // By X-Requested-With, Spring Security keeps the browser's own dialog away.
  const headers = {Accept: 'application/json, application/problem+json', 'X-Requested-With': 'XMLHttpRequest'};
  if (token) headers.Authorization = `Bearer ${token}`;
  if (method !== 'GET') {
    headers['X-Weir'] = '1';
    headers['Content-Type'] = 'application/json';
  }
  if (caller !== null && (path !== '/session' || method === 'DELETE')) headers['X-Weir-Caller'] = encodeURIComponent(caller);
  if (ifMatch != null) headers['If-Match'] = `"${ifMatch}"`;
  if (!quiet) remember({method, path, query, body, ifMatch});
  const limit = AbortSignal.timeout(TIMEOUT);
  let response;
  let text;
  try {
    response = await fetch(address(path, query), {
      method, headers, cache: 'no-store', credentials: 'same-origin', redirect: 'manual',
      body: body === undefined ? undefined : JSON.stringify(body),
      signal: signal ? AbortSignal.any([signal, limit]) : limit,
    });
    text = await response.text();
  } catch (failure) {
    if (signal?.aborted) throw failure;
    throw new Problem(0, {title: 'No answer', detail: limit.aborted ? `The server gave no answer within ${TIMEOUT / 1000} seconds.` : 'The server can’t be reached.'});
  }
  const {ok, status} = response;
  const type = response.headers.get('Content-Type') ?? '';
  const data = parse(text);
  if (ok && (text === '' || type.includes('json'))) return {data, etag: etag(response)};
  if (status === 409 && data?.signedInAs !== undefined) {
    location.reload();
    return new Promise(() => {});
  }
  const isForeign = ok || response.type === 'opaqueredirect' || [401, 403].includes(status) && !type.includes('problem');
  if (isForeign && path !== '/session' && await isSignedIn()) {
    throw new Problem(403, {detail: `The application answered this itself, not Weir. ${status === 403 ? 'Is the API exempt from its protection against forged requests (CSRF)?' : 'Does it take your sign-in for the whole API, as for session?'}`});
  }
  const refusal = new Problem(isForeign ? 401 : status, isForeign ? await signInDocument() : data && typeof data === 'object' ? data : {title: response.statusText || `Status ${status}`});
  if (refusal.status === 401 && signInAgain && !token && !options.isRetry && path !== '/session' && await signInAgain(refusal.document, method !== 'GET')) {
    return call(method, path, {...options, isRetry: true});
  }
  throw refusal;
}

function isSignedIn() {
  return get('/session', null, null, {quiet: true}).then(() => true, () => false);
}

/** Stands for an answer of the application's own sign-in. Unless a page is set, the API is one: it asks, and leads here. */
async function signInDocument() {
  const {signIn} = await fetch(address('/console/sign-in')).then(each => each.json()).catch(() => ({}));
  return {title: 'Nobody is signed in.', signIn: signIn ?? address('/session')};
}

function etag(response) {
  return /^(?:W\/)?"(\d+)"$/.exec(response.headers.get('ETag') ?? '')?.[1] ?? null;
}

function parse(text) {
  if (text === '') return null;
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

export async function get(path, query, signal, options) {
  return (await call('GET', path, {query, signal, ...options})).data;
}

/** Reads all pages of a list, up to a bound. Returns {items, isCut}. */
export async function all(path, query, signal, max = 20_000) {
  const items = [];
  let cursor = null;
  do {
    const page = await get(path, {limit: 1000, ...query, cursor}, signal);
    items.push(...page.items);
    cursor = page.next;
  } while (cursor && items.length < max);
  return {items, isCut: cursor != null};
}

function quoted(text) {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** Writes a call as a command for a shell. Keys of callers are left out. */
export function curl({method, path, query, body, ifMatch}) {
  const parts = ['curl'];
  if (method !== 'GET' && !(method === 'POST' && body !== undefined)) parts.push('-X', method);
  parts.push('-H "Authorization: Bearer $TOKEN"');
  if (ifMatch != null) parts.push('-H', quoted(`If-Match: "${ifMatch}"`));
  if (body !== undefined) {
    const shown = JSON.stringify(body, (key, value) => key === 'apiKey' && value ? 'KEY' : value);
    parts.push("-H 'Content-Type: application/json'", '-d', quoted(escaped(shown)));
  } else if (method !== 'GET') {
    parts.push("-H 'Content-Type: application/json'");
  }
  parts.push(quoted(address(path, query)));
  return parts.join(' ');
}
