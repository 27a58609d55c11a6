// Policies: all limits in force, from annotations, settings and rules.
import {get} from '../api.js';
import {add, h, link, name, sub} from '../dom.js';
import {count, plural, rate, windowText} from '../format.js';
import {live, OUTCOMES} from '../live.js';
import {figure, filters, table} from '../table.js';
import {LINES} from '../chart.js';
import {countedAs, policy, policyState, source} from '../parts.js';

export function show(page) {
  let all = [];
  const sortBy = page.query.get('sort');
  const rates = () => new Map((live.outcomes?.policies ?? []).map(each => [each.policy, each]));
  let now = rates();
  const shownRates = sortBy && OUTCOMES.includes(sortBy) && !['admitted', 'refused'].includes(sortBy) ? ['admitted', 'refused', sortBy] : ['admitted', 'refused'];

  const list = table({
    id: 'policies', isCards: true, caption: 'Policies in force', key: row => `${row.name} ${row.source}`, isLive: true,
    sort: sortBy && LINES[sortBy] ? [`${LINES[sortBy].label}/s`, true] : ['Name', false],
    empty: 'No policy fits.',
    columns: [
      {title: 'Name', value: 'name', sign: () => '', cell: row => [policy(row.name), sub(row.endpointPattern ? name(row.endpointPattern) : 'annotated or set')]},
      figure('Limit', 'limit', {sign: row => row.limit + row.window, cell: row => [count(row.limit), sub(`per ${windowText(row.window)}`)]}),
      {title: 'Tier', low: true, value: row => row.tier ?? '', sign: row => `${row.tier} ${row.limits.length}`, cell: row => row.tier === '*' ? 'all' : row.tier ? name(row.tier) : row.limits.length > 0 ? plural(row.limits.length, 'own limit') : 'all'},
      {title: 'Counts by', low: true, value: row => row.countBy.join('+'), sign: () => '', cell: row => h('span.small', row.countBy.join(' + '))},
      {title: 'From', low: true, value: 'source', sign: () => '', cell: row => source(row.source)},
      {title: 'State', value: row => `${row.switched ?? ''}${row.state}`, sign: row => `${row.switched}${row.state}`, cell: policyState},
      ...shownRates.map(each => ({title: `${LINES[each].label}/s`, number: true, low: each === 'admitted', value: row => now.get(countedAs(row))?.[each] ?? 0,
        sign: row => rate(now.get(countedAs(row))?.[each] ?? 0), cell: row => rate(now.get(countedAs(row))?.[each] ?? 0)})),
    ],
  });

  const search = filters([
    {name: 'text', label: 'Search', placeholder: 'name, pattern, tier'},
    {name: 'from', label: 'From', choices: [['', 'anywhere'], ['application', 'the application'], ['rule', 'rules']]},
    {name: 'state', label: 'State', choices: [['', 'any'], ['ENFORCED', 'enforced'], ['SHADOW', 'shadow'], ['switched', 'switched']]},
  ], () => { list.reset(); draw(); });

  function fitting() {
    const {from, state: wanted} = search.values();
    return all.filter(each => search.finds(`${each.name} ${each.endpointPattern ?? ''} ${each.tier ?? ''} ${each.countBy.join(' ')}`)
      && (!from || (from === 'application') === (each.source === 'application'))
      && (!wanted || (wanted === 'switched' ? each.switched : each.state === wanted && !each.switched)));
  }

  function draw() {
    const rows = fitting();
    search.sayFound(rows, all, 'policy', 'policies');
    list.update(rows);
  }

  const panel = page.panel({
    id: 'policy-list', title: 'All in force', every: 60, events: ['rate_limit_rules', 'switches'],
    note: page.canChange && link('#/rules/new', 'New rule'),
    read: signal => get('policies', null, signal),
    content: [search.element, list.element],
    draw: data => {
      all = data;
      draw();
    },
  });
  live.on('outcomes', () => { now = rates(); if (panel.data) draw(); }, page.signal);
  page.ticket(() => fitting().slice(0, 20).map(each => `${each.name} (${each.source}): ${count(each.limit)} per ${windowText(each.window)}, ${each.switched ? `switched ${each.switched}` : each.state}, ${rate(now.get(countedAs(each))?.refused ?? 0)} refused/s`));
  add(page.root, [page.head('Policies', {sub: 'What limits requests now: annotations and settings of the application, and rules. Where several hold for a request, all must admit it.'}), panel.element]);
}
