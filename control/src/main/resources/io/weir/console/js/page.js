// One page of the console: its head, its panels, and what ends when somebody leaves it.
import {curl, recentCalls} from './api.js';
import {named} from './characters.js';
import {button, fill, h, icon, link, notice, section, slim, toast} from './dom.js';
import {clock, timeText} from './format.js';
import {live} from './live.js';
import {mayChange, session} from './session.js';
import {confirm, openDialog} from './dialog.js';

/** Gives a view a place to draw, the parts of the address, and a signal that ends with the page. */
export class Page {
  #leave = new AbortController();
  #lines = () => [];

  constructor(root, params, query) {
    this.root = root;
    this.params = params;
    this.query = query;
    this.signal = this.#leave.signal;
    this.title = '';
  }

  /** Returns whether changes are allowed; what they need isn't shown otherwise. */
  get canChange() {
    return mayChange();
  }

  leave() {
    this.#leave.abort();
  }

  /** Draws the head of the page and sets its title. options: {sub, back: [address, text], actions, isUser}. */
  head(title, {sub = null, back = null, actions = [], isUser = false, label = null} = {}) {
    this.title = label ?? title;
    document.title = `${named(this.title, true)} · Weir`;
    const readOnly = !isUser && !this.canChange;
    return h('div.page-head',
      h('div',
        back && h('a.crumb', {href: back[0]}, icon('back'), back[1]),
        h('h1#title', {tabindex: '-1'}, title),
        sub && h('p', sub),
        readOnly && h('p.small#read-only', 'Read only: the role weir-view sees everything and changes nothing.')),
      actions.length > 0 && h('div.actions', actions),
      h('div.actions.copies',
        button('Copy for the ticket', () => copy(this.ticketText(), 'Copied for the ticket.'), {kind: 'plain', image: 'ticket', id: 'copy-ticket'}),
        button('Copy as curl', showCurl, {kind: 'plain', image: 'copy', id: 'copy-curl'})));
  }

  /** Sets the lines of "copy for the ticket" below title and address: a function that returns them. */
  ticket(lines) {
    this.#lines = lines;
  }

  ticketText() {
    return [`Weir: ${this.title}`, location.href, `${timeText(Date.now())}, seen by ${session?.name ?? 'nobody'}`,
      ...this.#lines().filter(Boolean).map(each => `- ${each}`)].map(each => named(each)).join('\n');
  }

  /**
   * Makes a panel that reads and draws. options: {id, title, note, read: signal → data, content: nodes that draw fills,
   * draw: data → nodes, nothing with content, every: seconds, events: [types that change it]}.
   */
  panel(options) {
    const {id, title, note = null, read, content, draw, every = 0, events = []} = options;
    const body = h('div.body');
    const old = h('div.old', {hidden: true});
    const element = section(id, title, note, body, old);
    let readAt = null;
    let isReading = false;
    let isAskedAgain = false;
    let data;
    const waiting = setTimeout(() => { if (readAt === null && body.childElementCount === 0) fill(body, h('p.empty', 'Reading …')); }, 250);

    const refresh = async () => {
      if (isReading) {
        isAskedAgain = true;
        return;
      }
      isReading = true;
      try {
        data = await read(this.signal);
        if (this.signal.aborted) return;
        if (content && readAt === null) fill(body, content);
        const nodes = draw(data);
        if (!content) fill(body, nodes);
        readAt = Date.now();
        old.hidden = true;
      } catch (problem) {
        if (this.signal.aborted) return;
        if (problem.status === undefined) throw problem;
        if (readAt === null) fill(body, problemNotice(problem, refresh));
        else fill(old, notice('warn', `From ${clock(readAt)}.`, 'Reading anew failed: ', problem.message)).hidden = false;
      } finally {
        clearTimeout(waiting);
        isReading = false;
        if (isAskedAgain && !this.signal.aborted) {
          isAskedAgain = false;
          refresh();
        }
      }
    };
    this.every(every, refresh);
    if (events.length > 0) {
      live.on('reread', refresh, this.signal);
      live.on('event', event => { if (events.includes(event.type)) refresh(); }, this.signal);
    }
    refresh();
    return {element, body, refresh, get data() { return data; }};
  }

  /** A button that reads on, or says why not. */
  more(label, place, read) {
    return slim(label, () => read().catch(problem => {
      if (!this.signal.aborted) fill(place, notice('bad', 'Reading failed.', problem.message));
    }), {kind: 'slim more'});
  }

  /** Calls a function every so many seconds, but not while the page is hidden. */
  every(seconds, action) {
    if (seconds <= 0) return;
    const timer = setInterval(() => { if (!document.hidden) action(); }, seconds * 1000);
    this.signal.addEventListener('abort', () => clearInterval(timer));
  }
}

/** Does something and says so, or why it failed. Returns whether it was done. */
export async function act(action, said) {
  try {
    await action();
  } catch (problem) {
    if (problem.status === undefined) throw problem;
    await openDialog('That didn’t work', {id: 'failed', content: h('p', problem.mistakes?.map(each => each.rule).join('; ') || problem.message)});
    return false;
  }
  toast(said);
  return true;
}

/** Asks before something is done as `act` does it. */
export async function confirmed(title, content, button, options, action, said) {
  return await confirm(title, content, button, options) && act(action, said);
}

/** Says why something couldn't be read, and what to do. */
export function problemNotice(problem, again) {
  const title = {0: 'No answer.', 403: 'Not allowed.', 404: 'Not found.', 501: 'Not supported.', 503: 'Not available.'}[problem.status] ?? 'That didn’t work.';
  const isKnown = [404, 501, 403].includes(problem.status);
  return notice(isKnown ? '' : 'bad', title, problem.message,
    again && !isKnown && h('div.actions', slim('Try again', again)));
}

/** Puts a text on the clipboard; where the browser forbids that, shows it. */
export async function copy(text, said = 'Copied.') {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const area = h('textarea', {readonly: true, 'aria-label': 'The text to copy', rows: '8'}, text);
    await openDialog('Copy this', {content: [area], id: 'copy-dialog'});
    return;
  }
  toast(said);
}

function showCurl() {
  const calls = recentCalls();
  openDialog('What this page asked, as curl', {
    id: 'curl', broad: true,
    content: calls.length === 0 ? h('p', 'Nothing yet.') : [
      h('p.muted', 'TOKEN is a token of yours', calls.some(each => each.body?.apiKey) && '; KEY is the key of the caller, which isn’t copied', '.'),
      h('div.stack', calls.map(each => h('div.stack',
        h('pre', {tabindex: '0'}, curl(each)), h('div', slim('Copy', () => copy(curl(each)))))))],
  });
}

/** Replaces a page by a sentence about what isn't there, or about what has no page. */
export function nothingHere(page, text, title = 'Not found') {
  fill(page.root, page.head(title), h('p', text), h('p', link('#/', 'Back to the start')));
}
