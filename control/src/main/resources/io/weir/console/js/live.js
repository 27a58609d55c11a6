// Follows what happens: the stream of events, and figures every five seconds. A hidden page listens to nothing.
import {address, get} from './api.js';

const CUT_AFTER = 3000;
const STALE_AFTER = 15;
const POLL_EVERY = 10_000;
const STREAM_AGAIN = 60_000;
const KEPT = 900;
const KEPT_OF_POLICY = 300;
const MAX_POLICIES = 300;
const GAP = 20;

/** Lists the outcomes in the order in which pages show them. Degraded ones are among the others. */
export const OUTCOMES = ['admitted', 'refused', 'soft', 'shadowRefused', 'degraded'];

const TABLES = ['rate_limit_rules', 'user_tiers', 'operation_costs', 'switches', 'user_quotas', 'quota_grants', 'access_list', 'anomalies', 'tier_upgrade_requests'];
const OTHERS = ['bans', 'problem', 'mended', 'store-away', 'store-back', 'region-away', 'region-back'];

/**
 * The live figures of this page. Events: `state` (of the connection, each second), `outcomes`, `event` (something
 * happened), `reread` (events may have been missed: read anew).
 */
class Live extends EventTarget {
  /** off, connecting, live, stale, cut, polling, ended (nobody is signed in) or paused. */
  state = 'off';
  outcomes = null;
  /** Why there are no figures, if there are none. */
  problem = null;
  /** By how many seconds this browser's clock is ahead of the database's; null before it is known. */
  clockAhead = null;
  /** The last quarter of an hour: [seconds since 1970, {admitted, …} or null]. */
  history = [];
  #ofPolicies = new Map();
  #arrived = 0;
  #wasOpen = false;
  #isRunning = false;
  #source = null;
  #timers = {};

  constructor() {
    super();
    document.addEventListener('visibilitychange', () => {
      if (!this.#isRunning) return;
      if (document.hidden) {
        this.#disconnect();
        this.#turn('paused');
      } else {
        this.#connect();
        this.#say('reread');
      }
    });
  }

  start() {
    if (this.#isRunning && ['live', 'connecting'].includes(this.state)) return;
    this.#isRunning = true;
    if (document.hidden) this.#turn('paused');
    else this.#connect();
  }

  stop() {
    this.#isRunning = false;
    this.#disconnect();
    this.outcomes = null;
    this.history = [];
    this.#ofPolicies.clear();
    this.#turn('off');
  }

  /** Adds a listener that a signal removes. */
  on(type, listener, signal) {
    this.addEventListener(type, event => listener(event.detail), {signal});
  }

  /** The age of the figures in seconds; null without any. */
  get age() {
    return this.outcomes === null ? null : (performance.now() - this.#arrived) / 1000 + (this.outcomes.oldestSeconds ?? 0);
  }

  /** The last five minutes of a policy: [[seconds since 1970, admitted, refused], …]. */
  historyOf(policy) {
    return this.#ofPolicies.get(policy) ?? [];
  }

  #say(type, detail) {
    this.dispatchEvent(new CustomEvent(type, {detail}));
  }

  #turn(state) {
    const isOther = this.state !== state;
    this.state = state;
    this.#say('state', isOther);
  }

  #connect() {
    this.#disconnect();
    this.#turn('connecting');
    this.#wasOpen = false;
    this.#timers.tick = setInterval(() => this.#tick(), 1000);
    this.#open();
    this.#poll().then(() => this.#fillIn());
  }

  /** Adds what the server has kept of the time before, in which this page didn't listen. */
  async #fillIn() {
    let recent;
    try {
      recent = await get('outcomes/recent', null, null, {quiet: true});
    } catch {
      return; // the figures begin with this page
    }
    if (!this.#isRunning || this.clockAhead === null || recent.points.length === 0) return;
    const times = recent.points.map(each => Date.parse(each.at) / 1000 + this.clockAhead);
    this.history = filledIn(this.history.filter(each => each[1]), recent.points.map((each, i) => [times[i], each]), KEPT)
      .flatMap((each, i, all) => i > 0 && each[0] - all[i - 1][0] > GAP ? [[all[i - 1][0] + 5, null], each] : [each]);
    for (const each of recent.policies) {
      const points = filledIn(this.historyOf(each.policy), times.map((time, i) => [time, each.admitted[i], each.refused[i]]), KEPT_OF_POLICY);
      if (points.length > 0 && this.#ofPolicies.size < MAX_POLICIES) this.#ofPolicies.set(each.policy, points);
    }
    if (this.outcomes) this.#say('outcomes', this.outcomes);
  }

  #disconnect() {
    this.#source?.close();
    this.#source = null;
    for (const timer of Object.values(this.#timers)) clearTimeout(timer);
    this.#timers = {};
  }

  #open() {
    const source = new EventSource(address('events'));
    this.#source = source;
    this.#expect();
    source.addEventListener('open', () => {
      this.#cancel('cut');
      this.#cancel('poll');
      this.#turn('live');
      if (this.#wasOpen) {
        this.#poll();
        this.#say('reread');
      }
      this.#wasOpen = true;
    });
    source.addEventListener('error', () => {
      if (source !== this.#source) return;
      if (source.readyState === EventSource.CLOSED) {
        this.#askInstead();
      } else {
        this.#expect();
      }
    });
    source.addEventListener('outcomes', event => this.#take(JSON.parse(event.data).data));
    for (const type of [...TABLES, ...OTHERS]) {
      source.addEventListener(type, event => this.#say('event', JSON.parse(event.data)));
    }
  }

  /** A stream ends by itself after a minute, and is usually back within a second. */
  #expect() {
    this.#timers.cut ??= setTimeout(() => this.#turn('cut'), CUT_AFTER);
  }

  #cancel(timer) {
    clearTimeout(this.#timers[timer]);
    delete this.#timers[timer];
  }

  /** Asks every ten seconds while the stream has no room, and retries it each minute. */
  #askInstead() {
    this.#source?.close();
    this.#source = null;
    this.#cancel('cut');
    this.#poll();
    this.#timers.again = setTimeout(() => this.#open(), STREAM_AGAIN);
    this.#pollAgain();
  }

  #pollAgain() {
    clearTimeout(this.#timers.poll);
    this.#timers.poll = setTimeout(async () => {
      await this.#poll();
      this.#say('reread');
      if (this.#source === null && this.#isRunning && !document.hidden) this.#pollAgain();
    }, POLL_EVERY);
  }

  async #poll() {
    try {
      const outcomes = await get('outcomes', null, null, {quiet: true});
      if (!this.#isRunning) return;
      if (this.#source === null && this.state !== 'polling') this.#turn('polling');
      this.#take(outcomes);
    } catch (problem) {
      if (!this.#isRunning) return;
      this.problem = problem;
      if (this.#source === null && [0, 401].includes(problem.status)) this.#turn(problem.status === 0 ? 'cut' : 'ended');
      this.#say('state', true);
    }
  }

  #tick() {
    const isOld = this.age !== null && this.age > STALE_AFTER;
    if (isOld ? this.state === 'live' : this.state === 'stale') {
      this.#turn(isOld ? 'stale' : 'live');
      this.#say('reread');
    } else {
      this.#say('state', false);
    }
  }

  #take(outcomes) {
    const at = Date.parse(outcomes.at);
    this.outcomes = outcomes;
    this.problem = null;
    this.#arrived = performance.now();
    this.clockAhead = Number.isNaN(at) ? null : (Date.now() - at) / 1000;
    const now = Date.now() / 1000;
    const last = this.history.at(-1);
    if (last && now - last[0] > GAP) this.history.push([last[0] + 5, null]);
    if (last && now - last[0] < 1) last[1] = outcomes.totals;
    else this.history.push([now, outcomes.totals]);
    this.history = this.history.filter(each => now - each[0] <= KEPT);
    const decided = new Map(outcomes.policies.slice(0, MAX_POLICIES).map(each => [each.policy, each]));
    for (const policy of new Set([...this.#ofPolicies.keys(), ...decided.keys()])) {
      const each = decided.get(policy);
      const points = [...this.historyOf(policy), [now, each?.admitted ?? 0, each?.refused ?? 0]].filter(point => now - point[0] <= KEPT_OF_POLICY);
      if (points.some(point => point[1] + point[2] > 0)) this.#ofPolicies.set(policy, points);
      else this.#ofPolicies.delete(policy);
    }
    this.#tick();
    this.#say('outcomes', outcomes);
  }
}

/** Puts points of the server among those of this page, which it may have missed: both [seconds, …], the oldest first. */
function filledIn(own, theirs, kept) {
  const near = 3;
  return [...own.filter(each => each[0] < theirs[0][0] - near), ...theirs, ...own.filter(each => each[0] > theirs.at(-1)[0] + near)]
    .filter(each => Date.now() / 1000 - each[0] <= kept);
}

/** Adds up decisions: each request counts once for each policy that decided it. */
export function decisions({admitted, refused, soft, shadowRefused}) {
  return admitted + refused + soft + shadowRefused;
}

export const live = new Live();
