// Starts the console: signs in, finds the page of an address, and draws what all pages share.
import {forgetCalls, get} from './api.js';
import {announce, button, fill, h, icon, link, name, notice, slim, svg, words} from './dom.js';
import {plural, span, when} from './format.js';
import {isSignedOut, isUser, mayView, readSession, session, signInPage, signOut, watchSession} from './session.js';
import {live} from './live.js';
import {nothingHere, Page, problemNotice} from './page.js';
import {closeDialogs, openDialog} from './dialog.js';

/** Pattern of the address, and module. The pages below /me are for users, all others for administrators and viewers. */
const ROUTES = [
  ['/', 'now'], ['/policies/:name', 'policy'], ['/rules/:id', 'rule'], ['/callers/:kind/:id', 'callers'], ['/what-if', 'whatif'],
  ...['policies', 'rules', 'callers', 'switches', 'access', 'anomalies', 'upgrades', 'usage', 'changes', 'problems', 'nodes', 'me'].map(each => [`/${each}`, each]),
  ...['usage', 'upgrade', 'refusals'].map(each => [`/me/${each}`, `me${each}`]),
];

/** Groups: title, whether it is for users, and entries (id, text, key, icon, address). */
const MENU = [
  ['Watch', false, [['now', 'Now', 'n', 'now', '#/'], ['callers', 'Callers', 'c'], ['anomalies', 'Anomalies', 'a']]],
  ['Limits', false, [['policies', 'Policies', 'p'], ['rules', 'Rules', 'r'], ['switches', 'Switches', 's'], ['access', 'Access list', 'l'], ['what-if', 'What if', 'w']]],
  ['Users', false, [['upgrades', 'Upgrades', 'u'], ['usage', 'Usage', 'y']]],
  ['System', false, [['changes', 'Changes', 'h'], ['problems', 'Problems', 'b'], ['nodes', 'Nodes', 'o']]],
  ['My account', true, [['me', 'My limits', 'm'], ['me-usage', 'My usage', 'e', 'usage', '#/me/usage'],
    ['me-refusals', 'My refusals', 'f', 'problems', '#/me/refusals'], ['me-upgrade', 'My tier', 't', 'upgrades', '#/me/upgrade']]],
];

const view = document.getElementById('view');
const side = document.getElementById('side');
const banners = document.getElementById('banners');
let page = null;
let shown = null;
const counts = {};
let switches = [];
let isStoreAway = false;
let isDatabaseAway = false;

function route() {
  const [path, query = ''] = (location.hash.slice(1) || '/').split('?');
  const parts = path.split('/').filter(Boolean);
  for (const [pattern, module] of ROUTES) {
    const wanted = pattern.split('/').filter(Boolean);
    if (wanted.length !== parts.length) continue;
    const params = {};
    const fits = wanted.every((each, i) => {
      if (!each.startsWith(':')) return each === parts[i];
      params[each.slice(1)] = decoded(parts[i]);
      return true;
    });
    if (fits) return {module, isForUser: parts[0] === 'me', entry: parts[0] === 'me' ? parts.join('-') : parts[0] ?? 'now', params, query: new URLSearchParams(query)};
  }
  return null;
}

function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

async function show(isFirst = false) {
  page?.leave();
  closeDialogs();
  forgetCalls();
  closeMenu();
  const found = route();
  if (found?.entry === 'now' && !mayView() && isUser()) {
    location.replace('#/me');
    return;
  }
  const current = page = new Page(h('div.stack'), found?.params ?? {}, found?.query ?? new URLSearchParams());
  mark(found?.entry);
  const waiting = shown === location.hash ? 0 : setTimeout(() => fill(view, h('h1.muted', 'Reading …')), 400);
  current.signal.addEventListener('abort', () => clearTimeout(waiting));
  if (!found) {
    nothingHere(current, 'There is no page at this address.');
  } else if (!(found.isForUser ? isUser() : mayView())) {
    fill(current.root, h('div.page-head', h('h1#title', {tabindex: '-1'}, 'Not for this account')),
      notice('', null, `This page needs ${found.isForUser ? 'an account of a user' : 'the role weir-admin or weir-view'}. `,
        'Signed in as ', name(session.name), `, with ${session.roles.length > 0 ? session.roles.join(', ') : 'no role'}.`));
  } else {
    try {
      const module = await import(`./views/${found.module}.js`);
      if (current.signal.aborted) return;
      await module.show(current);
    } catch (problem) {
      if (current.signal.aborted) return;
      if (problem.status === undefined) console.error(problem);
      fill(current.root, h('h1#title', {tabindex: '-1'}, 'This page can’t be shown'), problemNotice(problem.status === undefined ? {message: 'A part of the console couldn’t be loaded.'} : problem, () => show()));
    }
  }
  clearTimeout(waiting);
  if (current.signal.aborted) return;
  shown = location.hash;
  fill(view, current.root);
  if (!isFirst) window.scrollTo(0, 0);
  const first = view.querySelector('[autofocus]') ?? (isFirst ? null : document.getElementById('title'));
  first?.focus({preventScroll: true});
  document.documentElement.dataset.view = found?.module ?? 'none';
}

function groups() {
  return MENU.filter(each => each[1] ? isUser() : mayView());
}

function menu() {
  fill(side,
    h('a.brand', {href: '#/'}, svg('svg', {class: 'mark', 'aria-hidden': 'true'}, svg('use', {href: 'icons.svg#mark'})), 'Weir'),
    mayView() && h('p.live', {data: {state: 'off', live: ''}, hidden: true}),
    h('nav', {'aria-label': 'Console'}, groups().map(([title, , entries]) => h('div', h('h2', title),
      h('ul', entries.map(([id, text, , image = id, address = `#/${id}`]) => h('li',
        h('a', {href: address, id: `nav-${id}`, data: {entry: id}}, icon(image), text)))))),
    ),
    h('footer',
      h('p.who#who', name(session.name), h('span.muted.small', h('br'), shownRoles())),
      h('div.tools', theme(),
        button('Keys', showKeys, {kind: 'plain slim', image: 'keys', id: 'keys-button'}),
        session.signOut && button('Sign out', leave, {kind: 'plain slim', image: 'out', id: 'sign-out'}))));
  mark(route()?.entry);
  drawLive();
  drawCounts();
}

/** An administrator has the roles of those who check and look as well. */
function shownRoles() {
  const {roles} = session;
  return roles.filter(each => !roles.includes('weir-admin') || !['weir-check', 'weir-view'].includes(each)).join(', ') || 'no role';
}

function mark(entry) {
  for (const each of side.querySelectorAll('[data-entry]')) {
    if (each.dataset.entry === entry) each.setAttribute('aria-current', 'page'); else each.removeAttribute('aria-current');
  }
}

function drawCounts() {
  for (const [entry, [number, what]] of Object.entries(counts)) {
    const target = document.getElementById(`nav-${entry}`);
    target?.querySelector('.count')?.remove();
    if (target && number > 0) target.append(h('span.count', {title: what}, number > 99 ? '99+' : number, h('span.hidden', ` ${what}`)));
  }
}

const menuButton = document.getElementById('menu-button');
menuButton.addEventListener('click', () => {
  const isOpen = side.classList.toggle('open');
  menuButton.setAttribute('aria-expanded', String(isOpen));
  if (isOpen) side.querySelector('nav a')?.focus();
});

function closeMenu() {
  side.classList.remove('open');
  menuButton.setAttribute('aria-expanded', 'false');
}

async function leave() {
  let note = null;
  try {
    note = await signOut();
  } catch (problem) {
    if (problem.status !== 401) note = problem.message;
    if (problem.status === 0) {
      await openDialog('You are still signed in', {id: 'sign-out-failed', content: h('p', note)});
      return;
    }
  }
  if (note) await openDialog('This browser is signed out', {id: 'sign-out-note', content: h('p', note)});
  location.hash = '#/';
  location.reload();
}

function theme() {
  const now = () => document.documentElement.dataset.theme ?? 'auto';
  const text = () => `Colours: ${now() === 'auto' ? 'as the system' : now()}`;
  const element = button(text(), () => {
    setTheme({auto: 'light', light: 'dark', dark: 'auto'}[now()]);
    element.querySelector('span').textContent = text();
    element.setAttribute('aria-label', text());
  }, {kind: 'plain slim', image: 'sun', id: 'theme'});
  return element;
}

function setTheme(value) {
  if (value === 'light' || value === 'dark') document.documentElement.dataset.theme = value;
  else delete document.documentElement.dataset.theme;
  keep('weir.theme', value);
  document.dispatchEvent(new CustomEvent('theme'));
}

function keep(key, value) {
  try {
    localStorage.setItem(key, value);
  } catch {
    // A browser may keep nothing; then the choice ends with the page.
  }
}

function kept(key) {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

let usesKeys = kept('weir.keys') !== 'off';
let isGoing = 0;

document.addEventListener('keydown', event => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || !session) return;
  if (event.key === 'Escape' && side.classList.contains('open')) {
    closeMenu();
    menuButton.focus();
    return;
  }
  if (!usesKeys || document.querySelector('dialog[open]') || event.target.closest('input, select, textarea, [contenteditable]')) return;
  if (Date.now() - isGoing < 1500) {
    isGoing = 0;
    const entry = groups().flatMap(each => each[2]).find(each => each[2] === event.key);
    if (entry) {
      location.hash = entry[4] ?? `#/${entry[0]}`;
      event.preventDefault();
    }
  } else if (event.key === 'g') {
    isGoing = Date.now();
  } else if (event.key === '?') {
    showKeys();
  } else if (event.key === '/') {
    const search = view.querySelector('[data-search]');
    search?.focus();
    search?.select?.();
    if (search) event.preventDefault();
  }
});

function showKeys() {
  const entries = groups().flatMap(each => each[2]);
  const isOn = h('input', {type: 'checkbox', id: 'keys-on', checked: usesKeys, on: {change: event => {
    usesKeys = event.target.checked;
    keep('weir.keys', usesKeys ? 'on' : 'off');
  }}});
  openDialog('Keys', {id: 'keys', content: [
    h('dl.keys',
      [[h('kbd', '?'), 'this list'], [h('kbd', '/'), 'search on this page'], [h('kbd', 'Esc'), 'close a dialog or the menu'],
        ...entries.map(each => [[h('kbd', 'g'), ' ', h('kbd', each[2])], each[1]])].map(([keys, text]) => [h('dt', keys), h('dd', text)])),
    h('div.check', isOn, h('label', {for: 'keys-on'}, 'Use these keys'))]});
}

function liveText() {
  const {outcomes, age, state} = live;
  const nodes = outcomes && `${plural(outcomes.nodes, 'node')}${outcomes.silentNodes > 0 ? ` (${outcomes.silentNodes} more silent)` : ''}, ${span(age)} old`;
  switch (state) {
    case 'connecting': return ['clock', 'Connecting …'];
    case 'paused': return ['pause', 'Paused while hidden'];
    case 'stale': return ['problems', `Figures are ${span(age)} old`];
    case 'cut': return ['problems', outcomes ? `Cut off; figures are ${span(age)} old` : 'Cut off from the server'];
    case 'ended': return ['problems', `Nobody is signed in${outcomes ? `; figures are ${span(age)} old` : ''}`];
    case 'polling': return ['refresh', `No place for a live stream: asking every 10 s${nodes ? `. ${nodes}` : ''}`];
    default: return outcomes ? ['now', `Live: ${nodes}`] : ['info', live.problem ? 'No figures' : 'Waiting for figures'];
  }
}

function drawLive() {
  const [image, text] = liveText();
  for (const element of document.querySelectorAll('.live')) {
    element.hidden = live.state === 'off';
    element.dataset.state = live.state;
    if (element.dataset.text !== text) {
      const isSame = element.dataset.image === image && element.childElementCount === 2;
      if (isSame) element.lastElementChild.textContent = text;
      else fill(element, icon(image), h('span', text));
      Object.assign(element.dataset, {text, image});
    }
  }
}

let said = 'off';
let bannersSign = '';

live.on('state', () => {
  drawLive();
  if (live.state !== said) {
    if (['cut', 'stale', 'ended', 'polling'].includes(live.state)) announce(liveText()[1]);
    else if (live.state === 'live' && ['cut', 'stale', 'ended'].includes(said)) announce('Live again.');
    said = live.state;
  }
  drawBanners();
});

live.on('event', event => {
  if (event.type === 'store-away' || event.type === 'store-back') {
    isStoreAway = event.type === 'store-away';
    announce(isStoreAway ? 'The store can’t be reached.' : 'The store is back.');
    drawBanners();
    setTimeout(readCounts, 6000); // nodes report it within five seconds
  } else if (['switches', 'anomalies', 'tier_upgrade_requests', 'problem', 'mended'].includes(event.type)) readCounts();
});
live.on('reread', () => readCounts());

async function readCounts() {
  const quiet = {quiet: true};
  const read = (path, query) => get(path, query, null, quiet).catch(problem => problem);
  const [problems, pending, anomalies, all, nodes] = await Promise.all([read('problems'), read('upgrades/pending'),
    read('anomalies', {current: true, limit: 100}), read('switches'), read('nodes')]);
  if (!mayView()) return;
  const isRead = each => !(each instanceof Error);
  if (isRead(problems)) counts.problems = [problems.filter(each => !each.isWarning).length, 'rows that can’t be used'];
  if (isRead(pending)) counts.upgrades = [pending.pending, 'waiting'];
  if (isRead(anomalies)) counts.anomalies = [anomalies.items.filter(each => each.anomalous).length, 'now'];
  if (isRead(all)) {
    switches = all;
    counts.switches = [all.length, 'set'];
  }
  if (isRead(nodes)) isStoreAway = nodes.some(each => isFresh(each) && /open/i.test(each.breaker));
  isDatabaseAway = [pending, nodes].some(each => each instanceof Error && each.status === 503);
  drawCounts();
  drawBanners();
}

function isFresh(node) {
  return Date.now() - Date.parse(node.seenAt) < 30_000 + Math.abs(live.clockAhead ?? 0) * 1000;
}

function drawBanners() {
  const isCut = live.state === 'cut';
  const isOld = live.state === 'stale';
  const ahead = live.clockAhead ?? 0;
  const isWrong = Math.abs(ahead) > 5;
  const current = switches.filter(each => Date.parse(each.until) > Date.now());
  const sign = JSON.stringify([isCut, isOld, isStoreAway, isDatabaseAway, isWrong, current, mayView(), isSignedOut(), live.outcomes?.note]);
  if (sign === bannersSign) return;
  bannersSign = sign;
  fill(banners, isSignedOut() && h('div#signed-out', notice('bad', 'Your session has ended.', 'What you see is old, and nothing can be changed.',
    h('div.actions', slim('Sign in again', signInAgain, {id: 'sign-in-again'})))), mayView() && [
    isCut && notice('bad', 'Cut off from the server.', 'What you see is old. The console goes on trying.'),
    isOld && notice('bad', 'The figures are older than 15 seconds.', 'The nodes report nothing at the moment; other pages may still be right.'),
    isDatabaseAway && h('div#database-away', notice('bad', 'The rules database can’t be reached.',
      'Limits go on: each node decides by the rules, tiers and switches that it has read. Nothing can be changed here, and usage, history and callers’ accounts can’t be read. To stop limiting meanwhile, set ',
      h('code', 'weir.enabled=false'), '; to let a policy of the application only measure, ', h('code', 'weir.policy.NAME.shadow=true'),
      '. Running nodes read these within ten seconds.')),
    isStoreAway && h('div#store-away', notice('bad', 'The store can’t be reached by at least one node.',
      'Limits go on as each one’s ', h('code', 'onStoreFailure'), ' says: unless set, each node counts its share by itself. Rules and switches still work; what is left of a caller’s limits can’t be read. To let everything through meanwhile, set ',
      h('code', 'weir.on-store-failure=open'), ' or switch limits off. ', link('#/nodes', 'Nodes'))),
    isWrong && notice('warn', 'This browser’s clock differs.', `It is ${span(Math.abs(ahead))} ${ahead > 0 ? 'ahead of' : 'behind'} the database’s. Times that you see are those of the servers.`),
    live.outcomes?.note && h('div#outcomes-note', notice('warn', 'The figures aren’t complete.', live.outcomes.note)),
    current.length > 0 && h('div#switches-banner', notice('warn', `${plural(current.length, 'switch is', 'switches are')} set:`,
      current.slice(0, 3).map((each, i) => [i > 0 && '; ', each.policy === '*' ? 'all limits' : name(each.policy), each.state === 'OFF' ? ' off' : ' only measuring', ' until ', when(each.until), each.reason && [' (', words(each.reason.length > 120 ? `${each.reason.slice(0, 120)} …` : each.reason), ')']]),
      current.length > 3 && ` and ${current.length - 3} more`, '. ', link('#/switches', 'Switches'))),
  ]);
}

function enter() {
  drawBanners();
  document.body.dataset.signedIn = 'true';
  menu();
  menuButton.hidden = false;
  if (mayView()) {
    live.start();
    readCounts();
  } else {
    live.stop();
  }
}

async function start() {
  let refused;
  fill(view, h('h1.muted', 'Reading …'));
  try {
    refused = await readSession();
  } catch (problem) {
    fill(view, h('h1#title', {tabindex: '-1'}, 'Weir'), problemNotice(problem, start));
    return;
  }
  if (refused) {
    menuButton.hidden = true;
    delete document.body.dataset.signedIn;
    document.title = 'Sign in · Weir';
    fill(view, signInPage(refused, () => { enter(); show(); }));
    document.documentElement.dataset.view = 'sign-in';
    return;
  }
  enter();
  show(true);
}

document.getElementById('skip').addEventListener('click', event => {
  event.preventDefault();
  document.getElementById('main').focus();
});
const keptTheme = kept('weir.theme');
if (keptTheme) setTheme(keptTheme);
document.getElementById('live').dataset.live = '';
const signInAgain = watchSession(enter, drawBanners);
window.addEventListener('hashchange', () => { if (session) show(); });
start();
