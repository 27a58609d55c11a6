// What if: a limit put against the usage that was recorded.
import {call, get} from '../api.js';
import {add, fill, h, icon, link, notice, section, sub, tile} from '../dom.js';
import {count, dayOf, hoursAgo, length, percent, plural, timeText} from '../format.js';
import {field, showMistakes, windowField} from '../form.js';
import {chart} from '../chart.js';
import {figure, table} from '../table.js';
import {caller, namedText, wouldRefuse} from '../parts.js';
import {problemNotice} from '../page.js';

export async function show(page) {
  const given = key => page.query.get(key) ?? '';
  const policies = await get('policies', null, page.signal).catch(() => []);
  const known = of => [...new Set(policies.map(of))].filter(each => each && each !== '*').sort();
  const window = windowField('windowSeconds', 'window-unit', 4);
  window.showSeconds(Number(given('windowSeconds')) || 3600);
  const fields = {
    endpointPattern: field('endpointPattern', {label: 'Pattern', required: true, value: given('endpointPattern') || '/*', list: known(each => each.endpointPattern), hint: '/api/posts, /api/*'}),
    methods: field('methods', {label: 'Methods', placeholder: 'all', value: given('methods')}),
    tier: field('tier', {label: 'Tier', placeholder: 'all tiers', value: given('tier'), list: known(each => each.tier)}),
    algorithm: field('algorithm', {label: 'Algorithm', value: given('algorithm') === 'FIXED_WINDOW' ? 'FIXED_WINDOW' : '', choices: [['', 'sliding window (default)'], ['FIXED_WINDOW', 'fixed window']]}),
    limitCount: field('limitCount', {label: 'Permits', min: 1, required: true, value: given('limitCount'), inputmode: 'numeric'}),
    windowSeconds: window,
    from: field('from', {label: 'From', kind: 'time', value: given('from') || hoursAgo(24 * 7), required: true}),
    to: field('to', {label: 'To', kind: 'time', value: given('to') || Date.now(), required: true, hint: 'At most 92 days.'}),
  };
  const result = h('div.stack#what-if-result', {tabindex: '-1', 'aria-live': 'polite'});
  const submit = h('button.primary#what-if-ask', {type: 'submit'}, icon('what-if'), 'Put it against the usage');
  const form = h('form.panel.stack#what-if-form', {novalidate: true, 'aria-label': 'The limit'},
    h('div.fields', Object.values(fields).map(each => each.element)),
    h('div.actions', submit, h('span.muted.small', 'It changes nothing.')));
  let said = [];

  form.addEventListener('submit', event => {
    event.preventDefault();
    ask();
  });

  async function ask() {
    const value = key => fields[key].value;
    const body = {
      endpointPattern: value('endpointPattern'), methods: value('methods') ? value('methods').split(/[\s,]+/) : undefined, countBy: 'USER', tier: value('tier') || undefined,
      limitCount: value('limitCount') === '' ? undefined : Number(value('limitCount')), windowSeconds: Number(window.value) * Number(window.unit.value) || undefined,
      from: value('from') || undefined, to: value('to') || undefined,
    };
    for (const each of Object.values(fields)) each.error(null);
    submit.disabled = true;
    try {
      const {data} = await call('POST', 'what-if', {body, signal: page.signal});
      if (page.signal.aborted) return;
      const asked = {...JSON.parse(JSON.stringify(body)), methods: value('methods'), algorithm: value('algorithm')};
      history.replaceState(null, '', `#/what-if?${new URLSearchParams(asked)}`);
      fill(result, draw(data, body));
    } catch (problem) {
      if (page.signal.aborted) return;
      const left = showMistakes(problem, fields);
      fill(result, left.length > 0 && problemNotice(Object.assign(new Error(left.join(' ')), {status: problem.status}), problem.status === 400 ? null : ask));
    } finally {
      submit.disabled = false;
    }
  }

  function draw(data, body) {
    const would = wouldRefuse(data, fields.algorithm.value);
    const most = would.isExact ? '' : 'at most ';
    const lines = ['admitted', 'refused'];
    const days = chart({id: 'what-if-days', title: 'Requests by day, and those that it would have refused', lines, bars: true, days: true, height: 180, format: count, signal: page.signal,
      labels: {admitted: 'Requests', refused: 'Would have been refused'}, time: dayOf});
    const byDate = new Map(data.days.map(each => [each.date, each]));
    const dates = [];
    for (let each = Date.parse(`${body.from.slice(0, 10)}T00:00:00Z`); each < Date.parse(body.to); each += 86400e3) dates.push(new Date(each).toISOString().slice(0, 10));
    days.set([dates.map(each => Date.parse(`${each}T00:00:00Z`) / 1000), dates.map(each => byDate.get(each)?.requests ?? 0), dates.map(each => byDate.get(each)?.refused ?? 0)]);
    const worst = table({id: 'worst', caption: 'Callers that it would have refused most', key: 'userId', empty: 'Nobody would have been refused.',
      columns: [{title: 'Caller', value: 'userId', cell: each => caller(each.userId)}, figure('Refused', 'refused', {cell: each => h('b', count(each.refused))}),
        figure('Of requests', 'requests', {cell: each => [count(each.requests), sub(percent(each.refused, each.requests))]})]});
    worst.update(data.worst);
    const named = namedText(data, would, data.worst.length);
    said = [`${count(body.limitCount)} per ${length(body.windowSeconds)} at ${body.endpointPattern}${body.tier ? `, tier ${body.tier}` : ''}, ${timeText(body.from)} to ${timeText(body.to)}`,
      `Would have refused ${most}${count(would.refusedRequests)} of ${plural(data.requests, 'request')}, ${most}${count(would.affectedCallers)} of ${plural(data.callers, 'caller')}`,
      ...data.worst.slice(0, 10).map(each => `${each.userId}: ${count(each.refused)} of ${count(each.requests)}`)];
    const rule = new URLSearchParams({endpointPattern: body.endpointPattern, tier: body.tier ?? '', limitCount: body.limitCount, windowSeconds: body.windowSeconds});
    return [
      h('div.tiles.three#what-if-tiles',
        tile('Requests refused', h('span#what-if-refused', most && h('small', most), ' ', count(would.refusedRequests)), percent(would.refusedRequests, data.requests)),
        tile('Callers hit', h('span#what-if-callers', most && h('small', most), ' ', count(would.affectedCallers)), `of ${count(data.callers)}`),
        tile('Requests', count(data.requests), `recorded; ${count(data.refusedThen)} were refused then`)),
      notice(would.isExact ? '' : 'warn', would.isExact ? 'Exact, by whole hours.' : 'An upper bound.', data.unknown),
      section('by-day', would.isExact || !data.rolling ? 'By day (UTC)' : 'By day (UTC), of a fixed window', null, days.element),
      section('hit-most', 'Hit most', page.canChange && link(`#/rules/new?${rule}`, 'Make a rule'), named && h('p.muted.small#what-if-named', named), worst.element),
    ];
  }

  page.ticket(() => said);
  add(page.root, [
    page.head('What if', {sub: ['A limit put against what was recorded. Known users and keys are recorded, addresses and unknown keys aren’t. To see what is counted now, ', link('#/usage', 'look at usage'), '.']}),
    form, result,
  ]);
  if (given('limitCount')) ask();
}
