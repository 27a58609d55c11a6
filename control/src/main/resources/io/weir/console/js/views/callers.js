// Callers: find one, see what is left of each limit and why it is refused, and help.
import {call, get, Problem} from '../api.js';
import {add, announce, button, fill, h, icon, link, name, notice, section, slim, state, sub, toast, words} from '../dom.js';
import {clock, count, length, limitText, moment, plural, timeText, when} from '../format.js';
import {field, formDialog, showMistakes} from '../form.js';
import {confirm, openDialog} from '../dialog.js';
import {figure, table} from '../table.js';
import {caller as callerLink, policy, source, windowPicture} from '../parts.js';
import {act, problemNotice} from '../page.js';

const KINDS = [['user', 'User'], ['ip', 'Address'], ['key', 'API key']];
const FEW = 20;

/** A key that was searched for: it gets into no address, so it is handed to the next page here, once. */
let key = null;

export function show(page) {
  const {kind, id} = page.params;
  const apiKey = key;
  key = null;
  const who = apiKey ? {apiKey} : kind === 'user' || kind === 'ip' ? query(kind, id) : null;
  const result = h('div.stack#caller');
  const form = search(page, apiKey ? 'key' : kind ?? 'user', id ?? '', (wanted, text) => {
    const address = wanted === 'key' ? '#/callers' : `#/callers/${wanted}/${encodeURIComponent(text)}`;
    if (wanted === 'key') key = text;
    if (location.hash === address) window.dispatchEvent(new HashChangeEvent('hashchange'));
    else location.hash = address;
  });
  add(page.root, [
    page.head(who && id ? name(id) : 'Callers', {label: who && id ? `Caller ${id}` : 'Callers', back: who ? ['#/callers', 'Callers'] : null,
      sub: who ? null : 'Find a caller to see every limit that counts it, what is left, and why it was refused.'}),
    form, result,
  ]);
  if (who) new CallerView(page, who, result).draw();
  else result.append(mostRefused(page));
}

function query(kind, id) {
  return kind === 'ip' ? {ip: id} : {userId: id};
}

function search(page, kind, id, found) {
  const hints = {user: 'The name of the signed-in user, or sha256: and the digest of a key.', ip: 'An IPv4 or IPv6 address.', key: 'It is sent in the body of a request, and gets into no address and no log.'};
  const kinds = field('caller-kind', {label: 'Kind', choices: KINDS, value: kind});
  const input = field('caller-id', {label: 'Caller', type: kind === 'key' ? 'password' : 'text', value: id, maxlength: 500, 'data-search': '', autofocus: !id, hint: hints[kind], className: 'search'});
  kinds.input.addEventListener('change', () => {
    input.element.querySelector('.hint').textContent = hints[kinds.value];
    input.input.type = kinds.value === 'key' ? 'password' : 'text';
    input.input.focus();
  });
  const form = h('form.panel.filters#caller-search', {role: 'search', novalidate: true, 'aria-label': 'Find a caller'},
    kinds.element, input.element, h('button.primary#caller-find', {type: 'submit'}, icon('callers'), 'Find'));
  form.addEventListener('submit', event => {
    event.preventDefault();
    input.error(input.value === '' ? 'must be given' : null);
    if (input.value === '') {
      input.input.focus();
      return;
    }
    const text = input.value;
    if (kinds.value === 'key') input.value = '';
    found(kinds.value, text);
  });
  return form;
}

function mostRefused(page) {
  const list = table({
    id: 'most-refused', caption: 'Callers that were refused most', key: 'userId', empty: 'Nobody was refused in the last hour.', sort: ['Refused', true],
    columns: [
      {title: 'Caller', value: 'userId', cell: row => callerLink(row.userId)},
      figure('Refused', 'refused', {cell: row => h('b', count(row.refused))}),
      {title: 'By', cell: row => row.policies.map((each, i) => [i > 0 && ', ', policy(each)])},
      figure('Endpoints', 'endpoints', {low: true}),
      {title: 'Last', low: true, value: 'lastAt', cell: row => when(row.lastAt)},
    ],
  });
  const panel = page.panel({id: 'refused', title: 'Most refused, last hour', every: 15, note: h('span.note', 'over all nodes'),
    read: signal => get('refused', {limit: 100}, signal),
    content: [list.element],
    draw: rows => {
      list.update(rows);
    }});
  page.ticket(() => (panel.data ?? []).slice(0, 20).map(each => `${each.userId}: ${count(each.refused)} refused in the last hour, by ${each.policies.join(', ')}`));
  return panel.element;
}

class CallerView {
  constructor(page, who, place) {
    Object.assign(this, {page, who, place});
    this.isUser = who.userId !== undefined;
    this.isDigest = this.isUser && who.userId.startsWith('sha256:');
    this.data = null;
  }

  draw() {
    const {page, place} = this;
    const buckets = page.panel({
      id: 'caller-buckets', title: 'Limits that count this caller', events: ['rate_limit_rules', 'switches', 'buckets', 'user_tiers'],
      note: button('Read again', () => buckets.refresh(), {kind: 'slim plain', image: 'refresh', id: 'caller-refresh'}),
      read: async signal => (await call('POST', 'callers', {body: this.who, signal})).data,
      draw: data => this.#buckets(data),
    });
    this.buckets = buckets;
    page.every(10, () => { if ((this.data?.buckets.length ?? FEW) < FEW) buckets.refresh(); });
    this.refusals = h('div');
    this.summary = h('div#caller-summary');
    this.tried = h('div.stack#tried', {tabindex: '-1'});
    page.ticket(() => this.#ticket());
    place.append(this.summary, h('div.grid',
      h('div.stack.wide', buckets.element, this.refusals, ...this.isDigest ? [] : [this.#try()]),
      h('div.stack.narrow', this.isUser ? [this.#accountPanel()] : section('no-account', 'Tier and quota', null, h('p.muted#caller-tier-note', 'Tiers, own limits and quotas belong to users and to keys that have a row.')))));
  }

  #ticket() {
    if (!this.data) return [];
    return [`Caller ${this.data.caller}, tier ${this.data.tier ?? 'not known'}`, ...this.data.access.map(each => `Access list: ${each.action} ${each.subject}${each.shadow ? ' (shadow)' : ''}`),
      ...this.data.buckets.map(each => `${each.policy} (${each.endpoint}): ${each.remaining === null ? 'store away' : `${count(each.remaining)} of ${count(each.limit)} left`}${each.allowed ? '' : `, refused until ${timeText(each.resetTime * 1000)}`}${each.regions?.regions.map(one => `; ${one.name}: ${one.unanswered ?? `${count(one.used)} used of ${count(one.limit)}`}`).join('') ?? ''}`),
      ...this.data.refusals.slice(0, 10).map(each => `Refused ${each.count}× at ${each.endpoint} by ${each.policy}, ${timeText(each.at)}`)];
  }

  #buckets(data) {
    const isFirst = this.data === null;
    this.data = this.isDigest ? {...data, buckets: []} : data;
    const kind = this.who.ip ? 'ip' : data.caller.startsWith('sha256:') ? 'key' : 'user';
    const deny = this.page.canChange && link(`#/access?subject=${encodeURIComponent(`${kind}:${data.caller}`)}`, 'Deny or allow it');
    if (this.isDigest) {
      this.#refusals(data.refusals);
      return [deny, h('p.muted#digest-note', 'This is the digest of a key. Only the key itself leads to what is left of its limits: find it as an API key.')];
    }
    const refused = data.buckets.filter(each => !each.allowed && each.remaining !== null);
    const away = data.buckets.some(each => each.remaining === null);
    const [last] = data.refusals;
    const lately = data.refusals.filter(each => Date.parse(each.at) > Date.now() - 300e3);
    const often = lately.length > 0 && `${plural(lately.reduce((all, each) => all + each.count, 0), 'time')} in the last 5 minutes`;
    const decides = data.access.find(each => !each.shadow && !each.subject.startsWith('policy:'))?.action;
    fill(this.summary, data.access.map(accessNotice),
      decides ? null : refused.length > 0 ? notice('bad', 'Refused at the moment', 'by ', refused.slice(0, 4).map((each, i) => [i > 0 && ', ', policy(each.policy), ` (${limitText(each.limit, each.window)})`]), refused.length > 4 && ` and ${refused.length - 4} more`,
        '. More at ', when(Math.min(...refused.map(each => each.resetTime)) * 1000), '.', often && ` Refused ${often}.`)
        : away ? notice('warn', 'The store can’t be read,', 'so what is left isn’t known. What was refused is below.')
        : often ? notice('warn', 'Refused on and off:', often, ', last at ', when(last.at), ' by ', policy(last.policy), '. Right now it would be admitted.')
        : this.#isUnseen(data) ? (this.isUser ? notice('', 'Never seen.', 'No request of this caller is recorded, none of its limits is in use, and it wasn’t refused in the last day. Is its name written as the application does?')
          : notice('', 'Not seen.', 'None of its limits is in use, and it wasn’t refused in the last day. What addresses, and keys without a row, did before isn’t recorded.'))
        : notice('good', 'Not refused at the moment.', last ? ['Last at ', when(last.at), ' by ', policy(last.policy), '.'] : 'Nor in the last day.'));
    if (isFirst) announce(decides ? `${{DENY: 'Denied', ALLOW: 'Allowed', BAN: 'Banned'}[decides]} by the access list.` : refused.length > 0 ? 'Refused at the moment.' : this.#isUnseen(data) ? 'Not seen.' : 'Not refused at the moment.');
    this.#refusals(data.refusals);
    const rows = [...data.buckets].sort((a, b) => Number(a.allowed) - Number(b.allowed) || (a.remaining ?? 0) / a.limit - (b.remaining ?? 0) / b.limit);
    const list = this.list ??= table({
      id: 'caller-buckets-table', isLive: true, caption: 'Limits that count this caller', key: each => `${each.policy} ${each.bucket}`, empty: 'No limit counts this caller.',
      columns: [
        {title: 'Limit', cell: each => [policy(each.policy), sub(name(each.endpoint))]},
        {title: 'Window', sign: each => JSON.stringify(each) + (each.resetTime * 1000 < Date.now()), cell: each => [windowPicture(each), regionLines(each.regions)]},
        {title: '', cell: each => h('span.row', !each.allowed && each.remaining !== null && state('Refused', 'bad', 'cross'), each.allowed && !(this.data && this.#isUnseen(this.data)) && (each.remaining === 0 ? state('Only measures', 'shade', 'eye') : state('Open', 'good', 'check')),
          this.page.canChange && (each.resettable ? slim('Reset', () => this.#reset(each), {data: {reset: each.policy}}) : h('span.small.muted.low', 'a quota: grant permits')))},
      ],
    });
    list.update(rows);
    return [h('p.small', deny, deny && '. ', !this.isUser && data.caller.startsWith('sha256:') && [callerLink(data.caller), '. '], 'Tier ', data.tier ? name(data.tier) : h('span.muted', 'not known'), h('span.muted', `. Read at ${clock(Date.now())}${rows.length < FEW ? ', every 10 seconds' : ''}.`)), list.element,
      h('p.small.muted#not-found-note', 'Not here: limits that count something else beside the caller, such as a header or the endpoint. “Try a request” below shows them.')];
  }

  #isUnseen({requests, buckets, refusals}) {
    return requests === 0 && refusals.length === 0 && buckets.every(each => each.remaining !== null && each.remaining >= each.limit);
  }

  #refusals(rows) {
    const list = this.refusalList ??= table({
      id: 'refusals', caption: 'Refusals of the last day', page: 8, key: each => `${each.at} ${each.endpoint} ${each.policy}`, empty: 'None in the last day.',
      columns: [
        {title: 'When', cell: each => when(each.at)},
        {title: 'Policy', cell: each => [policy(each.policy), sub(name(each.endpoint))]},
        {title: 'Times', number: true, cell: each => count(each.count)},
        ...this.isDigest ? [] : [{title: '', cell: each => slim('Why?', () => this.#explain({endpoint: each.endpoint}, each), {data: {explain: each.endpoint}})}],
      ],
    });
    if (!list.element.isConnected) fill(this.refusals, section('caller-refusals', 'Refused in the last day', h('span.note', 'newest first, at most 100'), list.element));
    list.update(rows);
  }

  async #reset(bucket) {
    const ok = await confirm('Reset this limit for the caller?', [h('p', 'The window of ', name(bucket.policy), ' begins anew: ', h('b', count(bucket.limit)), ' permits are left again, at all endpoints that share it.'),
      h('p.muted', 'Nodes hear it within three seconds. Permits that a node has already taken may still be spent.')], 'Reset', {id: 'reset-bucket'});
    if (!ok) return;
    try {
      await call('POST', 'callers/reset', {body: {...this.who, policy: bucket.policy}});
      toast('Reset.');
    } catch (problem) {
      if (problem.status === undefined) throw problem;
      await openDialog('It wasn’t reset', {content: problem.status === 501 ? [h('p', 'This store can’t forget a bucket. '), h('p', 'Instead, give the caller a limit of its own for a while, or switch the limit off.')] : h('p', problem.message), id: 'reset-failed'});
    }
    this.buckets.refresh();
  }

  #try() {
    const fields = {
      endpoint: field('try-endpoint', {label: 'Path', placeholder: '/api/posts', required: true, value: ''}),
      method: field('try-method', {label: 'Method', value: 'GET', maxlength: 40}),
      cost: field('try-cost', {label: 'Cost', min: 1, placeholder: 'as the rules say'}),
      attributes: field('try-attributes', {label: 'Attributes', placeholder: 'header:X-Tenant=acme', hint: 'What key expressions read, separated by blanks.'}),
    };
    this.fields = fields;
    const form = h('form.stack#try-form', {novalidate: true}, h('div.fields', Object.values(fields).map(each => each.element)),
      h('div.actions', h('button#try', {type: 'submit'}, 'Try it'), h('span.muted.small', 'Counts nothing.')));
    form.addEventListener('submit', event => {
      event.preventDefault();
      const attributes = Object.fromEntries(fields.attributes.value.split(/\s+/).filter(each => each.includes('=')).map(each => [each.slice(0, each.indexOf('=')), each.slice(each.indexOf('=') + 1)]));
      this.#explain({endpoint: fields.endpoint.value, method: fields.method.value || undefined, cost: fields.cost.value === '' ? undefined : Number(fields.cost.value),
        attributes: Object.keys(attributes).length > 0 ? attributes : undefined});
    });
    return section('try-request', 'Try a request', null, h('div.stack', form, this.tried));
  }

  async #explain(request, past) {
    this.fields.endpoint.value = request.endpoint;
    if (request.method === undefined) request.method = this.fields.method.value || undefined;
    fill(this.tried, h('p.empty', 'Asking …'));
    try {
      const {data} = await call('POST', '/ratelimit/explain', {body: {...this.who, ...request}, signal: this.page.signal});
      for (const each of Object.values(this.fields)) each.error(null);
      const limit = past && this.data.buckets.find(each => each.policy === past.policy);
      fill(this.tried, past && h('p', h('b', plural(past.count, 'request')), ' to ', name(past.endpoint), past.count === 1 ? ' was' : ' were', ' refused at ', when(past.at), ', since ', policy(past.policy),
        limit ? ` gives this caller ${limitText(limit.limit, limit.window)}.` : ' had nothing left.', ' Such a request now:'), explanation(data));
    } catch (problem) {
      if (this.page.signal.aborted) return;
      const left = showMistakes(problem, this.fields);
      fill(this.tried, left.length > 0 && problemNotice(new Error(left.join(' ')), null));
    }
    this.tried.focus({preventScroll: true});
    this.tried.scrollIntoView({block: 'nearest'});
  }

  #accountPanel() {
    const {page} = this;
    const panel = page.panel({
      id: 'caller-account', title: 'Tier, own limits and quota', events: ['user_tiers', 'user_quotas', 'quota_grants'], every: 60,
      read: async signal => (await call('POST', 'callers/account', {body: {userId: this.who.userId}, signal})).data,
      draw: data => this.#account(data),
    });
    this.accountPanel = panel;
    return panel.element;
  }

  #account({user, overridden, quota, periods, grants, usage}) {
    const own = Object.entries(user?.customLimits ?? {});
    const {canChange} = this.page;
    const used = (usage ?? []).reduce((all, each) => ({requests: all.requests + each.requests, refused: all.refused + each.refused}), {requests: 0, refused: 0});
    return h('div.stack',
      h('div',
        user ? h('dl.facts#account-facts', [['Tier', h('b', name(user.tier))],
          user.origin && ['From', name(user.origin)],
          overridden && ['Overrides', h('span#account-overridden', name(overridden.tier), ' of ', name(overridden.origin), ', which counts again once this row is deleted or has ended')],
          user.state === 'EVALUATION' && ['State', state('Evaluation: never refused', 'shade', 'eye')],
          user.validUntil && ['Until', when(user.validUntil)],
          ...own.map(([rule, limit]) => [h('span', 'Own: ', name(rule)), typeof limit === 'object' ? `${count(limit.limit)} per ${length(limit.window)}` : count(limit)])].filter(Boolean).map(([term, value]) => [h('dt', term), h('dd', value)]))
          : h('p.muted', 'The user has no row: the default tier holds.'),
        canChange && h('p.row', slim(user && !user.origin ? 'Change' : 'Give a tier', () => this.#editTier(user), {id: 'edit-tier'}),
          user && !user.origin && slim(overridden ? 'Back to the other tier' : 'Back to the default tier', () => this.#deleteTier(user), {id: 'delete-tier'}))),
      h('p.small.muted', `In the last day: ${plural(used.requests, 'request')}, ${count(used.refused)} refused.`),
      h('div#account-quota', h('h3', 'Quota'),
        quota.limit == null ? h('p.muted', 'No rule gives the tier a quota.')
          : [windowPicture({limit: quota.limit + quota.rollover + quota.granted, remaining: quota.available, resetTime: Date.parse(quota.resetsAt) / 1000}),
            h('p.small.muted', `${count(quota.limit)} a period${quota.rollover > 0 ? `, ${count(quota.rollover)} rolled over` : ''}${quota.granted > 0 ? `, ${count(quota.granted)} granted` : ''}. The next period begins `, when(quota.resetsAt), '.')],
        quota.settings && h('p.small', 'Own quota: ', quota.settings.monthlyLimit ? count(quota.settings.monthlyLimit) : 'limit of the rule', `, from day ${quota.settings.billingDay}, `, quota.settings.zone),
        canChange && h('p.row', slim('Grant permits', () => this.#grant(), {id: 'add-grant'}),
          slim('Change the quota', () => this.#editQuota(quota.settings), {id: 'edit-quota'}))),
      grants.length > 0 && h('div#account-grants', h('h3', 'Grants'), h('ul.lines', grants.map(each => h('li', h('div.spread',
        h('span', h('b', count(each.remaining)), ` of ${count(each.permits)} left`), canChange && button('Revoke', () => this.#revoke(each), {kind: 'slim plain', data: {revoke: each.id}})),
      h('span.small.muted', words(each.reason), ' by ', words(each.grantedBy ?? ''), each.validUntil && [', until ', when(each.validUntil, {utc: false})]))))),
      periods.length > 0 && h('details.chart', h('summary', plural(periods.length, 'billing period')), h('ul.lines', periods.map(each => h('li.spread', h('span', when(each.startsAt, {utc: false})), h('span', `${count(each.used)} of ${count(each.limit + each.rollover + each.granted)}`))))));
  }

  get #userQuery() {
    return {userId: this.who.userId};
  }

  /** Asks by a form, whose fields it makes; a row that somebody else has changed is shown beside one's own. */
  async #form(title, id, fields, save, note = null) {
    this.conflict = null;
    for (const [key, each] of Object.entries(fields)) fields[key] = field(`${id}-${key}`, each);
    const failed = async problem => {
      if (problem.status !== 409 || problem.document.version === undefined) return null;
      const now = (await call('POST', 'callers/account', {body: this.#userQuery})).data;
      this.conflict = problem.document.version;
      return notice('warn', 'Somebody else has changed it.', 'Now it is: ', h('code', JSON.stringify(id === 'tier' ? now.user : now.quota.settings)), ' Saving again replaces that by yours.');
    };
    if (await formDialog(title, id, fields, save, {note, failed})) toast('Saved. Nodes follow within three seconds.');
    this.accountPanel.refresh();
    this.buckets.refresh();
  }

  async #editTier(user) {
    let tiers = [];
    try {
      tiers = [...new Set((await get('policies', null, this.page.signal)).flatMap(each => [each.tier, ...each.limits.map(one => one.tier)]))].filter(each => each && each !== '*').sort();
    } catch { /* then nothing is suggested */ }
    const own = Object.entries(user?.customLimits ?? {}).map(([rule, limit]) => typeof limit === 'object' ? `${rule} ${limit.limit} ${limit.window}` : `${rule} ${limit}`).join('\n');
    const fields = {
      tier: {label: 'Tier', value: user?.tier ?? '', list: tiers, required: true, maxlength: 50},
      state: {label: 'State', value: user?.state ?? 'ENFORCED', choices: [['ENFORCED', 'limits hold'], ['EVALUATION', 'evaluation: measured, never refused']]},
      validUntil: {label: 'Until', kind: 'time', value: user?.validUntil, hint: 'Empty: for good.'},
      customLimits: {label: 'Own limits', kind: 'textarea', className: 'full', value: own, placeholder: '/api/* 5000\n/api/search 100 60', hint: 'A line each: name or pattern of a rule, permits, and the window in seconds where several rules share the pattern.'},
    };
    await this.#form(user ? 'Change tier and own limits' : 'Give the user a tier', 'tier', fields, () => call('PUT', 'user', {query: this.#userQuery, ifMatch: this.conflict ?? (user?.origin ? undefined : user?.version),
      body: {tier: fields.tier.value, state: fields.state.value, validUntil: fields.validUntil.value || undefined, customLimits: limitsOf(fields.customLimits.value)}}));
  }

  async #deleteTier(user) {
    if (!await confirm('Back to the default tier?', h('p', 'Its own limits end as well. Usage and quota stay.'), 'Back to the default', {danger: true, id: 'tier-delete'})) return;
    await this.#plain(() => call('DELETE', 'user', {query: this.#userQuery, ifMatch: user.version}), 'Done.');
  }

  async #grant() {
    const fields = {
      permits: {label: 'Permits', min: 1, required: true},
      validUntil: {label: 'Until', kind: 'time', hint: 'It holds to the end of the period in which this lies.'},
      reason: {label: 'Reason', maxlength: 1000},
    };
    await this.#form('Grant permits beyond the quota', 'grant', fields, () => call('POST', 'user/grants', {query: this.#userQuery,
      body: {permits: Number(fields.permits.value) || undefined, reason: fields.reason.value || undefined, validUntil: fields.validUntil.value || undefined}}));
  }

  async #revoke(grant) {
    if (!await confirm('Revoke this grant?', h('p', `${count(grant.remaining)} permits are taken back, and those used of it in this period count against the quota.`), 'Revoke', {danger: true, id: 'revoke-grant'})) return;
    await this.#plain(() => call('DELETE', `user/grants/${grant.id}`, {query: this.#userQuery, ifMatch: grant.version}), 'Revoked.');
  }

  async #editQuota(settings) {
    const number = value => value === '' ? undefined : Number(value);
    const fields = {
      monthlyLimit: {label: 'Permits a period', min: 0, value: settings?.monthlyLimit ?? '', hint: 'Empty: as the rule says.'},
      maxRollover: {label: 'Most that rolls over', min: 0, value: settings?.maxRollover ?? '', hint: 'Empty: as the rule says.'},
      rolloverAmount: {label: 'Rolls over into the first period', min: 0, value: settings?.rolloverAmount ?? ''},
      billingDay: {label: 'First day of a period', min: 1, max: 31, value: settings?.billingDay ?? 1},
      zone: {label: 'Time zone', value: settings?.zone ?? 'UTC'},
    };
    await this.#form('The user’s own quota', 'quota', fields, () => call('PUT', 'user/quota', {query: this.#userQuery, ifMatch: this.conflict ?? settings?.version,
      body: {monthlyLimit: number(fields.monthlyLimit.value), maxRollover: number(fields.maxRollover.value), rolloverAmount: number(fields.rolloverAmount.value), billingDay: number(fields.billingDay.value), zone: fields.zone.value || undefined}}),
    settings && h('p', slim('Back to the quota of the rule', async () => {
      document.querySelector('#quota')?.close();
      await this.#plain(() => call('DELETE', 'user/quota', {query: this.#userQuery, ifMatch: settings.version}), 'The quota of the rule holds.');
    }, {id: 'delete-quota'})));
  }

  async #plain(action, said) {
    await act(action, said);
    this.accountPanel.refresh();
    this.buckets.refresh();
  }
}

function limitsOf(text) {
  const limits = {};
  for (const line of text.split('\n').map(each => each.trim()).filter(Boolean)) {
    const match = /^(.*?)\s+(\d+)(?:\s+(\d+))?$/.exec(line);
    if (!match) throw new Problem(400, {field: 'customLimits', rule: `must be a name or pattern and a number of permits, unlike “${line}”`});
    limits[match[1]] = match[3] ? {limit: Number(match[2]), window: Number(match[3])} : Number(match[2]);
  }
  return limits;
}

/** Counts of each region, if there are any. */
function regionLines(counted) {
  const line = (what, each) => h('li.spread', what, each.unanswered ? h('span', state('Not answered', 'warn', 'problems'), sub(each.unanswered))
    : h('span', `${count(each.used)} used, `, h('b', count(each.remaining)), ` of ${count(each.limit)} left`, each.used > 0 && each.resetTime && `, more at ${moment(each.resetTime * 1000)}`));
  return counted && h('ul.lines.small', h('li.muted', `Regions, ${{EVENTUAL: 'with what others reported', SHARES: 'each its part', REGION: 'each by itself'}[counted.counting]}:`),
    counted.regions.map(each => line(h('span', name(each.name), each.isOwn && ' (this one)'), each)), counted.sum && line('Together', counted.sum));
}

/** Says what an entry of the access list does with a caller. */
function accessNotice({action, subject, counted, shadow, reason, validUntil}) {
  const isLetIn = action === 'ALLOW';
  return h('div', {data: {access: subject}}, notice(shadow ? '' : isLetIn ? 'good' : 'bad', shadow ? `A shadow would ${action.toLowerCase()} it:` : action === 'BAN' ? 'Banned' : !isLetIn ? 'Denied' : counted ? 'Allowed, and counted,' : 'Allowed',
    'by the access list: ', link(`#/access?text=${encodeURIComponent(subject)}`, name(subject)), validUntil && [' until ', when(validUntil)], reason && [' (', words(reason), ')'], '.'));
}

export function explanation(data) {
  const {decision} = data;
  const list = table({
    id: 'explained', caption: 'Policies that could apply', key: (each => `${each.name} ${each.source}`), empty: 'No limit could apply.',
    columns: [
      {title: 'Policy', cell: each => [policy(each.name), sub(source(each.source))]},
      {title: 'Applies', cell: each => each.holds ? each.allowed === false ? state('Refuses', 'bad', 'cross') : each.undecided ? state('Not decided', 'warn', 'problems') : each.unread ? state('Not read', 'warn', 'problems') : state('Admits', 'good', 'check') : state('No', '', 'dot')},
      {title: 'Window', low: true, cell: each => each.holds && (each.unread || each.remaining !== null) ? [windowPicture({...each, allowed: each.allowed !== false}), regionLines(each.regions)] : ''},
      {title: 'Why', cell: each => h('span.small', {dir: 'auto'}, each.reason)},
    ],
  });
  list.update(data.policies);
  return [
    data.access.map(accessNotice),
    !decision ? notice('warn', 'Not decided here:', `${data.undecided.join('; ')}.`)
      : decision.allowed ? notice('good', 'It would be admitted', !decision.matched ? (decision.degraded ? 'by no limit that is known.' : 'by no limit at all.') : `with ${count(Math.max(0, decision.remaining))} of ${count(decision.limit)} left.`)
      : decision.denied ? null
      : decision.neverAdmitted ? notice('bad', 'It would be refused', 'even after a wait: it costs more than the limit ever allows.')
      : notice('bad', 'It would be refused.', `A retry can succeed after ${plural(decision.retryAfter, 'second')}, at `, when(decision.resetTime * 1000), '.'),
    decision?.degraded && notice('warn', 'Decided without the store', 'or without all rules.'),
    h('p.small.muted', 'Caller: ', words(data.caller), '. Tier: ', words(data.tier), '.'), list.element,
  ];
}
