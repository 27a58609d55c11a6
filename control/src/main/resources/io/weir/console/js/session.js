// Knows who is signed in and which roles this person has, and signs in and out.
import {call, callAs, get, onSignedOut, Problem} from './api.js';
import {button, fill, h, icon, notice, svg} from './dom.js';
import {openDialog} from './dialog.js';

/** The signed-in person; null if none. */
export let session = null;

export function mayView() {
  return mayChange() || Boolean(session?.roles.includes('weir-view'));
}

export function mayChange() {
  return Boolean(session?.roles.includes('weir-admin'));
}

/** Returns whether the person has limits of its own. */
export function isUser() {
  return Boolean(session?.roles.includes('user'));
}

/** Reads who is signed in. Returns the problem document if nobody is; then whoever was stays known. */
export async function readSession() {
  try {
    const found = await get('/session', null, null, {quiet: true});
    if (!found?.roles) throw new Problem(0, {detail: 'What answers here isn’t Weir’s API.'});
    session = found;
    callAs(session.name);
    return null;
  } catch (problem) {
    if (problem.status !== 401) throw problem;
    return problem.document;
  }
}

/** Signs out. Returns a text if the session ends elsewhere only later. */
export async function signOut() {
  const answer = await call('DELETE', '/session', {quiet: true});
  session = null;
  callAs(null);
  return answer.data?.detail ?? null;
}

/** Makes the form that signs in; calls `done` once somebody is. */
function signInForm(document401, done) {
  return document401?.signIn ? applicationForm(document401.signIn, done) : tokenForm(done);
}

function applicationForm(signIn, done) {
  const message = h('div', {role: 'status'});
  const look = async () => {
    if (await readSession().catch(problem => problem) === null) {
      done();
      return true;
    }
    return false;
  };
  const next = button('I have signed in', async () => {
    if (!await look()) fill(message, notice('warn', null, 'Nobody is signed in yet.'));
  }, {id: 'sign-in-continue'});
  window.addEventListener('focus', function again() {
    if (!next.isConnected) window.removeEventListener('focus', again);
    else look();
  });
  return h('div.stack#sign-in',
    h('p', 'The application signs you in. Its page opens beside this one, so nothing that you typed is lost.'),
    h('p.row', h('a.button.primary#sign-in-link', {href: signIn, target: '_blank', rel: 'noopener'}, 'Open the sign-in page'), next),
    message);
}

function tokenForm(done) {
  const input = h('input#token', {type: 'password', autocomplete: 'off', spellcheck: 'false', required: true, autofocus: true, 'aria-describedby': 'token-hint token-error'});
  const error = h('p.error#token-error', {role: 'alert'});
  const submit = h('button.primary#sign-in-submit', {type: 'submit'}, 'Sign in');
  const show = text => {
    fill(error, text && icon('problems'), text);
    input.setAttribute('aria-invalid', text ? 'true' : 'false');
    if (text) input.focus();
  };
  const form = h('form.stack#sign-in', {novalidate: true},
    h('div.field', h('label', {for: 'token'}, 'Token or JWT'), input, error,
      h('p.hint#token-hint', 'It is exchanged for a session of at most eight hours, and kept nowhere. ',
        h('code', 'weir-server token new'), ' makes one.')),
    h('div.actions', submit));
  form.addEventListener('submit', async event => {
    event.preventDefault();
    const token = input.value.trim();
    if (token === '') return show('Enter a token.');
    submit.disabled = true;
    try {
      await call('POST', '/session', {token, quiet: true});
      input.value = '';
      if (await readSession() === null) return done();
      show('The session isn’t accepted. Does the browser take cookies of this address?');
    } catch (problem) {
      show(problem.status === 401 ? 'The token is unknown or has expired.'
        : problem.status === 404 || problem.status === 405 ? 'These pages are part of an application, which signs you in: sign in there, then load this page again.'
        : problem.message);
    } finally {
      submit.disabled = false;
    }
    return undefined;
  });
  return form;
}

let asking = null;
let ended = null;

/** Returns whether somebody preferred not to sign in again now. */
export function isSignedOut() {
  return ended !== null;
}

/** Asks to sign in again, over the page, which stays as it is. Draws the page anew if it is somebody else who did. */
function ask(document401, signedIn, signedOut) {
  const before = session;
  asking ??= openDialog('Your session has ended', {
    id: 'session-ended', stays: true,
    content: close => [h('p', 'Sign in again to go on. What you typed is still here.'), signInForm(document401, () => close(true))],
    actions: close => [button('Not now', () => close(false), {kind: 'plain', id: 'session-ended-later'})],
  }).then(isIn => {
    ended = isIn ? null : document401;
    if (!isIn) {
      signedOut();
    } else if (isSame(before, session)) {
      signedIn();
    } else {
      location.reload();
      return new Promise(() => {});
    }
    return isIn === true;
  }).finally(() => { asking = null; });
  return asking;
}

function isSame(one, other) {
  const sign = ({name, roles}) => JSON.stringify([name, [...roles].sort()]);
  return one !== null && sign(one) === sign(other);
}

/**
 * Asks to sign in wherever a call finds that the session has ended; after "Not now" only for what somebody does. Returns
 * a function that asks at once.
 */
export function watchSession(signedIn, signedOut) {
  onSignedOut((document401, isDone) => ended === null || isDone || asking ? ask(document401, signedIn, signedOut) : Promise.resolve(false));
  return () => ask(ended, signedIn, signedOut);
}

export function signInPage(document401, done) {
  return h('section.panel.sign-in', {'aria-labelledby': 'title'},
    svg('svg', {class: 'mark', 'aria-hidden': 'true'}, svg('use', {href: 'icons.svg#mark'})),
    h('h1#title', {tabindex: '-1'}, 'Sign in to Weir'), signInForm(document401, done));
}
