// One rule: edit it with checks as one types, try it as a shadow, enforce it, and go back in its history.
import {all, call, curl, get} from '../api.js';
import {add, announce, button, fill, h, link, name, notice, section, slim, toast, words} from '../dom.js';
import {count, hoursAgo, length, limitText, percent, plural, ruleWindow, timeText, when, zone} from '../format.js';
import {check, debounced, field, formDialog, showMistakes, windowField} from '../form.js';
import {confirm, openDialog} from '../dialog.js';
import {act, copy, nothingHere, problemNotice} from '../page.js';
import {decisions, live} from '../live.js';
import {change, NOT_SENT, schedule, sent, startField} from '../schedule.js';
import {addressOf, caller, differences, diffTable, flat, hoursPanel, namedText, readHours, restored, ruleCountedAs, ruleState, ruleText, sum, wouldRefuse} from '../parts.js';

/** Keeps unsaved input by address, so that leaving a page loses nothing. */
const drafts = new Map();

export async function show(page) {
  const isNew = page.params.id === 'new';
  if (!isNew && !/^\d+$/.test(page.params.id)) {
    nothingHere(page, 'The address of a rule ends with its number.');
    return;
  }
  let saved = null;
  let version = null;
  let known = [];
  if (isNew) {
    const policy = page.query.get('policy');
    const given = key => page.query.get(key) || undefined;
    const template = {tier: given('tier') ?? '*', endpointPattern: policy ? `policy:${policy}` : given('endpointPattern') ?? '', limitCount: given('limitCount'), windowSeconds: Number(given('windowSeconds') ?? 60),
      state: 'DRAFT', methods: [], countBy: policy ? undefined : 'USER'};
    if (policy) {
      const annotated = (await get('policies', null, page.signal)).find(each => each.name === policy);
      if (annotated) template.limitCount = annotated.limit;
    }
    saved = template;
  } else {
    const answer = await call('GET', `rules/${encodeURIComponent(page.params.id)}`, {signal: page.signal});
    saved = answer.data;
    version = answer.etag;
  }
  known = (await all('rules', null, page.signal)).items;
  const editor = new Editor(page, {isNew, saved, version, known});
  editor.draw();
}

class Editor {
  constructor(page, {isNew, saved, version, known}) {
    Object.assign(this, {page, isNew, saved, version, known});
    this.key = location.hash;
    this.said = h('div.stack#rule-said', {role: 'status'}, h('p.empty', 'Checking …'));
    this.hit = h('div.stack#rule-hit', h('p.empty', 'Reading …'));
    this.other = h('div#rule-other');
    this.mistakes = h('div#rule-mistakes', {role: 'alert'});
    this.touched = new Set();
    this.validate = debounced(() => this.#validate(), 350, page.signal);
    this.estimate = debounced(() => this.#estimate(), 700, page.signal);
    this.round = 0;
  }

  draw() {
    const {page, saved, isNew} = this;
    const title = isNew ? 'New rule' : name(saved.name);
    const isReadOnly = !page.canChange || Boolean(saved.origin);
    const changed = Date.parse(saved.updatedAt);
    const hit = section('rule-would-hit', 'Whom it would have hit', null, this.hit);
    const hours = !isNew && hoursPanel(page, {id: 'rule-hours', title: 'By hour, last 48 hours', policy: ruleCountedAs(saved), hours: 48, changed, note: link(addressOf.policy(ruleCountedAs(saved)), 'All rules of this name')}).element;
    page.ticket(() => isNew ? [`Not saved: ${ruleText(this.#document())}`] : [`Rule ${saved.id}, version ${this.version}, ${saved.state}: ${ruleText(saved)}`, saved.updatedBy && `Changed last by ${saved.updatedBy}`]);
    add(page.root, [
      page.head(title, {label: isNew ? 'New rule' : `Rule ${saved.origin ?? saved.id}: ${saved.name}`, back: ['#/rules', 'Rules'],
        sub: isNew ? 'It begins as a draft, unless you choose otherwise below.' : [h('span#rule-state', ruleState(saved)), ' ', saved.updatedAt && ['changed ', when(saved.updatedAt), saved.updatedBy && [' by ', words(saved.updatedBy)]]]}),
      this.other,
      saved.origin && notice('', 'Weir only reads this rule.', 'It is a row of ', name(saved.origin), ', a table that Weir didn’t create: change it there. A rule here with the same tier and name takes its place.'),
      !isNew && this.#steps(),
      h('div.grid',
        h('div.stack.wide', isReadOnly ? this.#facts() : this.#form(),
          !isNew && !saved.origin && this.#history()),
        h('div.stack.narrow',
          !isReadOnly && section('rule-check', 'If you save this', null, this.said),
          Date.now() - changed < 48 * 3600e3 ? [hours, hit] : [hit, hours])),
    ]);
    if (!isReadOnly) {
      const kept = drafts.get(this.key);
      if (kept) {
        this.#load(kept.document);
        this.version = kept.version; // so that saving shows what somebody else has changed since
        fill(this.other, notice('', 'Your unsaved changes are back.', h('div.actions', slim('Discard them', () => this.#discard(), {id: 'discard'}))));
      }
      this.validate();
    }
    this.estimate();
    if (!isNew) live.on('event', event => this.#noticed(event), page.signal);
    window.addEventListener('beforeunload', event => { if (drafts.has(this.key)) event.preventDefault(); }, {signal: page.signal});
  }

  #form() {
    const {saved, known} = this;
    const values = of => [...new Set(known.map(of))].filter(Boolean).sort();
    const window = this.window = windowField('rule-window', 'rule-unit');
    this.unit = window.unit;
    const members = {
      tier: {label: 'Tier', value: '', required: true, maxlength: 50, list: ['*', ...values(each => each.tier).filter(each => each !== '*')], hint: '* is a ceiling for all tiers.'},
      endpointPattern: {label: 'Pattern', required: true, maxlength: 255, list: values(each => each.endpointPattern), hint: '/api/posts, /api/posts/{id}, /api/*, * or policy:NAME'},
      methods: {label: 'Methods', placeholder: 'all', hint: 'Separated by commas.'},
      name: {label: 'Name', placeholder: 'made of pattern and window', hint: 'With a name, counts outlive changes of the state.'},
      limitCount: {label: 'Permits', min: 1, max: 1e9, inputmode: 'numeric', required: true},
      windowSeconds: window,
      zone: {label: 'Time zone', placeholder: 'weir.zone', hint: 'Of calendar windows, such as Europe/Berlin.'},
      countBy: {label: 'Count by', list: ['USER', 'IP', 'ENDPOINT', 'header:X-Tenant'], placeholder: 'USER', hint: 'USER, IP, ENDPOINT (all together) or a key expression; several joined by +.'},
      perEndpoint: check('rule-perEndpoint', 'A bucket of its own for each endpoint that the pattern matches'),
      algorithm: {label: 'Algorithm', choices: [['', 'default'], ...['FIXED_WINDOW', 'SLIDING_WINDOW', 'SLIDING_LOG', 'TOKEN_BUCKET', 'LEAKY_BUCKET'].map(asChoice)]},
      mode: {label: 'Beyond the limit', choices: [['', 'default'], ['HARD', 'refuse (hard)'], ['SOFT', 'let some through (soft)'], ['ELASTIC', 'let through while there is capacity (elastic)']]},
      exceedBy: {label: 'How far beyond, in percent', min: 0, max: 1000},
      burst: {label: 'Burst', min: 0, hint: 'Permits at once.'},
      refill: {label: 'Refill', min: 0},
      strict: check('rule-strict', 'Strict: an empty bucket stays shut until the caller pauses'),
      counts: {label: 'What counts', choices: [['', 'default'], ['ALL', 'all requests'], ['FAILURES', 'failures'], ['SUCCESSES', 'successes']]},
      clearOn: {label: 'A success clears', choices: [['', 'nothing'], ['SUCCESS', 'the failures before it']]},
      scope: {label: 'Where there are several regions', choices: [['', 'one limit for all'], ['REGION', 'a limit in each']]},
      cost: {label: 'Cost', min: 1, hint: 'Permits per request.'},
      costFrom: {label: 'Cost from', hint: 'An expression or the name of a CostResolver.'},
      condition: {label: 'Condition', hint: 'The name of a RequestCondition.'},
      overshoot: {label: 'Overshoot, in percent', min: 0, max: 100},
      maxRollover: {label: 'Most that rolls over', min: 0, hint: 'Of a quota, to the next period.'},
      onStoreFailure: {label: 'While the store is away', choices: [['', 'default'], ['LOCAL', 'count on each node (local)'], ['OPEN', 'let through (open)'], ['CLOSED', 'refuse (closed)']]},
      priority: {label: 'Priority under load', choices: [['', 'default'], ...['NONE', 'LOW', 'NORMAL', 'CRITICAL'].map(asChoice)]},
      validFrom: {label: 'From', kind: 'time', step: 1, hint: `${zone}. Empty: at once.`},
      validUntil: {label: 'Until', kind: 'time', step: 1, hint: `${zone}. Exclusive. Empty: for good.`},
    };
    const f = this.fields = Object.fromEntries(Object.entries(members).map(([key, each]) => [key, each.element ? each : field(`rule-${key}`, each)]));
    const state = this.isNew && field('rule-state-choice', {label: 'State', choices: [['DRAFT', 'Draft: no effect'], ['SHADOW', 'Shadow: measures'], ['ENFORCED', 'Enforced: refuses']]});
    if (state) f.state = state;
    const first = [f.tier, f.endpointPattern, f.methods, f.limitCount, window, ...state ? [state] : []];
    const checks = [f.perEndpoint, f.strict];
    const elements = fields => fields.map(each => each.element);
    this.more = h('details.more-fields#rule-more', h('summary', 'Everything else'), h('div.fields',
      elements(Object.values(f).filter(each => ![...first, ...checks].includes(each))), h('div.full.stack', elements(checks))));
    this.save = h('button.primary#rule-save', {type: 'submit'}, this.isNew ? 'Add the rule' : 'Save');
    const form = h('form.panel.stack#rule-form', {novalidate: true, 'aria-label': 'The rule'},
      h('div.fields', elements(first)),
      this.more, this.mistakes,
      h('div.actions', this.save,
        button('Copy as curl', () => copy(curl(this.#request()), 'Copied. It changes the rule when it is run.'), {id: 'rule-curl'}),
        !this.isNew && button('Schedule …', () => this.#later(), {id: 'rule-later'}),
        !this.isNew && button('Delete', () => this.#delete(), {kind: 'danger', id: 'rule-delete'})));
    form.addEventListener('submit', event => { event.preventDefault(); this.#save(); });
    form.addEventListener('input', event => { this.touched.add(event.target.id); this.#changed(); });
    this.#load(saved);
    return form;
  }

  #load(rule) {
    const f = this.fields;
    for (const [key, each] of Object.entries(f)) {
      if (key === 'windowSeconds') continue;
      const value = rule[key];
      if (key === 'methods') each.value = (value ?? []).join(', ');
      else if (key === 'perEndpoint' || key === 'strict') each.value = Boolean(value);
      else if (key === 'name') each.value = isGenerated(rule) ? '' : value ?? '';
      else each.value = value ?? '';
    }
    const match = /^(\d+) (DAY|WEEK|MONTH|YEAR)S?$/i.exec(rule.period ?? '');
    if (rule.period === 'QUOTA') {
      this.unit.value = 'QUOTA';
      this.window.value = 1;
    } else if (match) {
      this.unit.value = match[2].toUpperCase();
      this.window.value = match[1];
    } else {
      this.window.showSeconds(rule.windowSeconds ?? 60);
    }
    this.#toggle();
  }

  #toggle() {
    const isQuota = this.unit.value === 'QUOTA';
    const isForPolicy = this.fields.endpointPattern.value.startsWith('policy:');
    this.window.input.disabled = isQuota;
    this.fields.maxRollover.element.hidden = !isQuota;
    this.fields.zone.element.hidden = isQuota || /^\d/.test(this.unit.value);
    this.fields.methods.element.hidden = isForPolicy;
  }

  /** The rule as the API takes it, from what is typed. Members that no field shows stay as they are. */
  #document() {
    if (!this.fields) return this.saved;
    const f = this.fields;
    const rule = sent(this.saved);
    for (const [key, each] of Object.entries(f)) {
      if (key === 'windowSeconds') continue;
      const value = each.value;
      if (key === 'methods') rule.methods = value ? value.split(/[\s,]+/).filter(Boolean) : undefined;
      else if (key === 'perEndpoint' || key === 'strict') rule[key] = value || (this.saved[key] === undefined ? undefined : false);
      else if (each.input.type === 'number') rule[key] = value === '' ? undefined : Number(value);
      else if (key === 'name') rule.name = value || (isGenerated(this.saved) ? this.saved.name : undefined);
      else rule[key] = value === '' ? undefined : value;
    }
    const number = Number(this.window.value);
    const unit = this.unit.value;
    delete rule.period;
    delete rule.windowSeconds;
    if (unit === 'QUOTA') rule.period = 'QUOTA';
    else if (/^\d/.test(unit)) rule.windowSeconds = this.window.value === '' ? undefined : number * Number(unit);
    else rule.period = `${number} ${unit}`;
    return JSON.parse(JSON.stringify(rule));
  }

  #request(isDry = false) {
    const body = this.#document();
    return {body, query: isDry ? {dryRun: true} : undefined,
      ...this.isNew ? {method: 'POST', path: 'rules'} : {method: 'PUT', path: `rules/${this.saved.id}`, ifMatch: this.version}};
  }

  #changed() {
    this.#toggle();
    const document = this.#document();
    const isSame = differences(comparable(this.saved), comparable(document), new Set()).length === 0;
    if (isSame) drafts.delete(this.key); else drafts.set(this.key, {document, version: this.version});
    this.validate();
    this.estimate();
  }

  /** Asks the API whether the rule is right, without saving it. */
  async #validate() {
    const round = ++this.round;
    const request = this.#request(true);
    const isEmpty = !request.body.endpointPattern || !request.body.tier || !request.body.limitCount;
    if (this.isNew && isEmpty && this.touched.size === 0) {
      fill(this.said, h('p.empty', 'Fill in the form: it is checked as you type.'));
      return;
    }
    const {method, path, ...options} = request;
    try {
      const {data} = await call(method, path, {...options, signal: this.page.signal, quiet: true});
      if (round !== this.round) return;
      for (const each of Object.values(this.fields)) each.error(null);
      fill(this.mistakes);
      const changes = this.isNew ? [] : differences(comparable(this.saved), comparable(data), new Set());
      const warnings = data.warnings ?? [];
      fill(this.said,
        warnings.length === 0 ? notice('good', 'It can be saved.', this.isNew ? '' : changes.length === 0 ? 'Nothing has changed.' : '')
          : notice('warn', `It can be saved, with ${plural(warnings.length, 'warning')}:`, h('ul#rule-warnings', warnings.map(each => h('li', {dir: 'auto'}, each)))),
        !this.isNew && changes.length > 0 && diffTable(changes, ['In force', 'Yours']),
        this.isNew && h('p.small.muted', 'Its name will be ', name(data.name), '.'));
    } catch (problem) {
      if (round !== this.round || this.page.signal.aborted) return;
      if (problem.status === undefined) throw problem;
      if (problem.status === 409) {
        fill(this.said, notice('warn', 'Somebody else has changed this rule.', 'Saving shows both versions.'));
        return;
      }
      const mistakes = problem.mistakes;
      for (const [key, each] of Object.entries(this.fields)) {
        const mistake = mistakes.find(one => one.field === key || (key === 'windowSeconds' && one.field === 'period'));
        each.error(mistake && (this.touched.has(each.input.id) || this.touched.has('submit')) ? mistake.rule : null);
      }
      fill(this.said, mistakes.length > 0
        ? notice('bad', 'It can’t be saved yet:', h('ul', mistakes.map(each => h('li', {dir: 'auto'}, each.field ? [h('code', each.field), ' '] : null, each.rule))))
        : problemNotice(problem, () => this.validate()));
    }
  }

  /** Puts the rule against what was recorded in the last hour. */
  async #estimate() {
    const rule = this.#document();
    const unknown = !rule.endpointPattern || !rule.limitCount ? 'The rule isn’t complete yet.'
      : rule.endpointPattern.startsWith('policy:') ? 'For the limit of a policy this isn’t known: usage is recorded by endpoint.'
      : (rule.countBy ?? 'USER') !== 'USER' ? 'Not known: only known users are recorded, and this rule counts something else.'
      : rule.period === 'QUOTA' ? 'Not known for quotas: each user has a billing day of its own.' : null;
    if (unknown) {
      fill(this.hit, h('p.muted', unknown));
      return;
    }
    const from = hoursAgo(1);
    const body = {endpointPattern: rule.endpointPattern, methods: rule.methods, countBy: 'USER', tier: rule.tier === '*' ? undefined : rule.tier,
      limitCount: rule.limitCount, windowSeconds: rule.windowSeconds, period: rule.period, zone: rule.period ? rule.zone : undefined, from: from.toISOString(), to: new Date().toISOString()};
    try {
      const {data} = await call('POST', 'what-if', {body, signal: this.page.signal, quiet: true});
      const would = wouldRefuse(data, rule.algorithm);
      fill(this.hit,
        h('p', 'Of what was recorded since ', when(from), ', ', h('b', limitText(rule.limitCount, ruleWindow(rule))), ' would have refused ', would.isExact ? '' : 'at most ',
          h('b#hit-requests', count(would.refusedRequests)), ` of ${plural(data.requests, 'request')} (${percent(would.refusedRequests, data.requests)}), of `, h('b', count(would.affectedCallers)), ` of ${plural(data.callers, 'caller')}.`,
          data.refusedThen > 0 && ` ${count(data.refusedThen)} really were.`),
        data.worst.length > 0 && h('ul.lines', data.worst.slice(0, 5).map(each => h('li.spread', caller(each.userId), h('span', h('b', count(each.refused)), ` of ${count(each.requests)}`)))),
        [namedText(data, would, Math.min(5, data.worst.length))].map(text => text && h('p.small.muted#hit-named', text)),
        data.unknown && h('p.small.muted', data.unknown),
        h('p.small', link(this.#whatIfAddress(rule), 'Longer ago: what if')));
    } catch (problem) {
      if (this.page.signal.aborted) return;
      if (problem.status === undefined) throw problem;
      fill(this.hit, h('p.muted', 'Not known: ', problem.message));
    }
  }

  #whatIfAddress(rule) {
    const query = new URLSearchParams({endpointPattern: rule.endpointPattern ?? '', limitCount: rule.limitCount ?? '', windowSeconds: rule.windowSeconds ?? '', algorithm: rule.algorithm ?? '', tier: rule.tier === '*' ? '' : rule.tier ?? ''});
    return `#/what-if?${query}`;
  }

  async #save() {
    this.touched.add('submit');
    const request = this.#request();
    const {method, path, ...options} = request;
    this.save.disabled = true;
    try {
      const {data, etag} = await call(method, path, options);
      drafts.delete(this.key);
      toast(this.isNew ? 'The rule was added.' : 'Saved. Nodes follow within three seconds.');
      if (this.isNew) {
        location.hash = addressOf.rule(data.id);
      } else {
        this.saved = data;
        this.version = etag;
        reload();
      }
    } catch (problem) {
      if (problem.status === 409 && !this.isNew && problem.document.version !== undefined) {
        await this.#conflict(request.body);
        return;
      }
      const left = showMistakes(problem, {...this.fields, period: this.fields.windowSeconds});
      const isInside = this.more.contains(document.activeElement) || [...this.more.querySelectorAll('[aria-invalid]')].length > 0;
      if (isInside) this.more.open = true;
      fill(this.mistakes, left.length > 0 && notice('bad', 'It wasn’t saved.', left.join(' ')));
      this.more.querySelector('[aria-invalid]')?.focus();
    } finally {
      this.save.disabled = false;
    }
  }

  /** Ends the rule as it is at a time, from which another takes its place as it was typed. */
  async #later() {
    const start = startField('later-validFrom');
    const isDone = await formDialog('Schedule this change', 'later', {validFrom: start}, async () => {
      const body = this.#document();
      const hasSameName = ['endpointPattern', 'windowSeconds', 'period'].every(each => body[each] === (this.saved[each] ?? undefined));
      await change(schedule(this.saved, {...body, name: this.fields.name.value || (hasSameName ? this.saved.name : undefined)}, start, this.version));
    }, {action: 'Schedule', note: h('p', 'The rule as it is now ends then, and a second one with what you typed begins. Counts go on if window and name stay.')});
    if (!isDone) return;
    drafts.delete(this.key);
    toast(`It changes at ${timeText(start.value)}.`);
    location.hash = `#/rules?tier=${encodeURIComponent(this.saved.tier)}`;
  }

  /** Shows both versions of a rule that somebody else has changed. */
  async #conflict(mine) {
    const {data: theirs, etag} = await call('GET', `rules/${this.saved.id}`);
    const [was, is, own] = [this.saved, theirs, mine].map(comparable);
    const names = [...new Set([...differences(was, is, new Set()), ...differences(was, own, new Set())].map(each => each[0]))];
    const choice = await openDialog('Somebody else has changed this rule', {
      id: 'conflict', broad: true,
      content: [
        h('p', theirs.updatedBy ? [words(theirs.updatedBy), ' saved version '] : 'There is version ', etag, ' ', theirs.updatedAt && when(theirs.updatedAt), '; yours is based on version ', this.version, '. Nothing was saved yet.'),
        h('div.table-box#conflict-table', diffTable(names.map(each => [each, ...[was, is, own].map(row => flat(row[each]))]), ['Before', 'Theirs', 'Yours'], ['span', 'span', 'span'])),
      ],
      actions: close => [
        button('Go on editing', () => close(null), {id: 'conflict-edit'}),
        button('Take theirs', () => close('theirs'), {id: 'conflict-theirs'}),
        button('Save mine over it', () => close('mine'), {kind: 'primary', id: 'conflict-mine'}),
      ],
    });
    if (!choice) return;
    this.version = etag;
    this.saved = theirs;
    if (choice === 'mine' && !await act(() => call('PUT', `rules/${this.saved.id}`, {body: mine, ifMatch: this.version}), 'Saved.')) return;
    this.#discard();
  }

  /** Forgets what was typed, and shows the rule as it is saved. */
  #discard() {
    drafts.delete(this.key);
    reload();
  }

  async #delete() {
    const ok = await confirm('Delete this rule?', [h('p', ruleText(this.saved), '.'),
      h('p', this.saved.state === 'ENFORCED' ? 'From then on it limits nobody. ' : 'It limits nobody now. ', 'Its history stays, and restores it.')], 'Delete', {danger: true, id: 'delete-rule'});
    if (ok && await act(() => call('DELETE', `rules/${this.saved.id}`, {ifMatch: this.version}), 'The rule was deleted.')) {
      drafts.delete(this.key);
      location.hash = '#/rules';
    }
  }

  #steps() {
    const {saved, page} = this;
    const says = h('div#shadow-says');
    const targets = {DRAFT: ['Draft', 'no effect'], SHADOW: ['Shadow', 'measures'], ENFORCED: ['Enforced', 'refuses']};
    const steps = h('ol.steps#rule-steps', Object.entries(targets).map(([state, [text, effect]]) => h('li', {'aria-current': state === saved.state ? 'step' : null},
      state === saved.state ? h('b', text, ' ', h('span.muted', `(now: ${effect})`))
        : page.canChange && !saved.origin ? button(text, () => this.#turn(state), {kind: 'slim', id: `to-${state.toLowerCase()}`}) : h('span.muted', text))));
    if (saved.state === 'SHADOW') {
      const since = Math.max(Date.parse(saved.updatedAt ?? 0) || 0, Date.now() - 89 * 86400e3);
      const from = new Date(Math.floor(since / 3600e3) * 3600e3);
      const tell = async () => {
        try {
          const total = sum((await readHours(from, ruleCountedAs(saved), page.signal)).items);
          this.shadow = {from, total};
          fill(says, h('p', 'Since ', when(from), ' it would have refused ', h('b#shadow-refused', count(total.shadowRefused)), ` of ${plural(decisions(total), 'request')} (${percent(total.shadowRefused, decisions(total))}).`));
        } catch (problem) {
          if (!page.signal.aborted) fill(says, h('p.muted', 'What it would have refused isn’t known: ', problem.message));
        }
      };
      tell();
      page.every(30, tell);
    }
    return h('section.panel', {'aria-label': 'State of the rule'}, h('div.spread', steps, says));
  }

  async #turn(state) {
    const {saved} = this;
    if (drafts.has(this.key) && !await confirm('There are unsaved changes', h('p', 'The state of the rule as it is saved will change. What you typed stays in the form.'), 'Go on', {id: 'unsaved'})) return;
    if (state === 'ENFORCED' || saved.state === 'ENFORCED') {
      const total = this.shadow?.total;
      const ok = await confirm(state === 'ENFORCED' ? 'Enforce this rule?' : `End enforcing it, and turn it to ${state.toLowerCase()}?`, [
        h('p', ruleText(saved), '.'),
        state === 'ENFORCED'
          ? [h('p', 'It will refuse requests on all nodes within three seconds.'),
            total ? h('p', 'As a shadow it would have refused ', h('b', count(total.shadowRefused)), ` of ${plural(decisions(total), 'request')} since `, when(this.shadow.from), '.')
              : saved.state === 'DRAFT' ? h('p', 'It was never tried as a shadow: whom it hits isn’t known from traffic. ', h('span', this.hit.querySelector('p')?.textContent ?? '')) : null]
          : h('p', 'From then on it refuses nobody.'),
      ], state === 'ENFORCED' ? 'Enforce' : 'End enforcing', {danger: state !== 'ENFORCED', id: 'turn'});
      if (!ok) return;
    }
    if (await act(() => call('POST', `rules/${saved.id}/state`, {body: {state}, ifMatch: this.version}), `The rule is now ${state === 'ENFORCED' ? 'enforced' : state === 'SHADOW' ? 'a shadow' : 'a draft'}.`)) reload();
  }

  #facts() {
    const {saved} = this;
    return section('rule-facts', 'The rule', null,
      h('dl.facts', Object.entries(saved).filter(([key, value]) => !NOT_SENT.has(key) && isSet(value))
        .map(([key, value]) => [h('dt', h('code', key)), h('dd', {dir: 'auto'}, key === 'windowSeconds' ? `${count(value)} (${length(value)})` : String(value))])));
  }

  #history() {
    const {page, saved} = this;
    const panel = page.panel({
      id: 'rule-history', title: 'History', events: ['rate_limit_rules'], note: link('#/changes', 'All changes'),
      read: signal => get('changes', {table: 'rate_limit_rules', rowKey: saved.id, limit: 50}, signal),
      draw: ({items, next}) => items.length === 0 ? h('p.empty', 'No change is kept.')
        : [h('ol.lines', items.map((each, i) => h('li', {id: `change-${each.number}`},
          h('div.spread', h('span', each.before === null ? 'Added' : each.after === null ? 'Deleted' : 'Changed', ' by ', words(each.by)), when(each.at)),
          each.before && each.after && diffTable(differences(each.before, each.after)),
          page.canChange && i > 0 && each.after && h('div.row', button('Restore this version', async () => { if (await restored(each, items[0].after)) this.#discard(); }, {kind: 'slim', id: `restore-${each.number}`, data: {restore: each.number}})))),
        ), next && h('p', link('#/changes?table=rate_limit_rules', 'Older changes'))],
    });
    return panel.element;
  }

  /** Shows that this rule has changed meanwhile. */
  #noticed(event) {
    if (event.type !== 'rate_limit_rules' || String(event.data?.rowKey) !== String(this.saved.id)) return;
    if (String(event.data.row?.version) === String(this.version)) return;
    announce('This rule has been changed.');
    fill(this.other, notice('warn', event.data.what === 'deleted' ? 'This rule has been deleted' : 'This rule has been changed', 'by ', words(event.data.by), '.',
      h('div.actions', slim('Show it', () => drafts.has(this.key) ? this.#conflict(this.#document()) : reload(), {id: 'show-newest'}))));
  }
}

function reload() {
  window.dispatchEvent(new HashChangeEvent('hashchange'));
}

function isSet(value) {
  return value != null && value !== '' && value.length !== 0;
}

function asChoice(value) {
  return [value, value.toLowerCase().replaceAll('_', ' ')];
}

/** Returns whether the server made the name, and makes another when pattern or window change: api.posts-60s-1a2b3c4d. */
function isGenerated(rule) {
  const window = String(ruleWindow(rule)).replaceAll(' ', '').toLowerCase();
  return new RegExp(`^[^/]*-${window}(-[0-9a-f]{8})?(-shadow)?$`).test(rule.name ?? '');
}

/** A rule without what the database keeps, to compare two. */
function comparable(rule) {
  const left = Object.entries(rule).filter(([key, value]) => !NOT_SENT.has(key) && isSet(value) && value !== false);
  return Object.fromEntries(left.map(([key, value]) => [key, Array.isArray(value) ? [...value].sort().join(', ') : value]));
}
