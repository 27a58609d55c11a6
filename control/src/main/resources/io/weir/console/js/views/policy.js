// One policy: its limit, who wins, what it does now and by the hour, and its buckets.
import {ADMIN, get} from '../api.js';
import {add, button, fill, h, icon, link, name, notice, section, sub} from '../dom.js';
import {count, plural, rate, span, windowText} from '../format.js';
import {live, OUTCOMES} from '../live.js';
import {LINES, swatch} from '../chart.js';
import {figure, table} from '../table.js';
import {addressOf, countedAs, hoursPanel, policyState, source} from '../parts.js';
import {nothingHere} from '../page.js';

export async function show(page) {
  const wanted = page.params.name;
  const [all, changes] = await Promise.all([get(`${ADMIN}/policies`, null, page.signal),
    get(`${ADMIN}/changes`, {table: 'rate_limit_rules', limit: 50}, page.signal).catch(() => ({items: []}))]);
  const isWanted = each => each.name === wanted || countedAs(each) === wanted;
  let variants = all.filter(isWanted);
  const counted = variants.length > 0 ? countedAs(variants[0]) : wanted;
  if (variants.length === 0) {
    if (wanted === 'weir-sessions') {
      nothingHere(page, 'The server’s own limit: a user, or a token of a program, opens at most five sessions a minute. It can’t be changed.', 'weir-sessions');
      return;
    }
    nothingHere(page, `No policy of the name ${wanted} is in force. It may be a draft, have ended, or be of an endpoint that no request has reached yet.`);
    page.root.append(h('p', null, link(`#/rules?text=${encodeURIComponent(wanted)}`, 'Look among the rules')));
    return;
  }
  const ofRule = changes.items.find(each => variants.some(one => one.source === `rule ${each.rowKey}`));
  const isAnnotated = variants.some(each => each.source === 'application');
  const values = {};
  const tiles = h('div', {class: 'tiles', id: 'tiles'}, OUTCOMES.map(each => {
    values[each] = h('span', {class: 'value'}, '–');
    return h('div', null, h('span', {class: 'label'}, swatch(each), LINES[each].label), values[each]);
  }));
  const draw = () => {
    const mine = live.outcomes?.policies.find(each => each.policy === counted);
    for (const each of OUTCOMES) fill(values[each], live.outcomes ? [rate(mine?.[each] ?? 0), h('small', null, '/s')] : '–');
  };
  live.on('outcomes', draw, page.signal);
  draw();

  const definition = page.panel({
    id: 'policy-definition', title: isAnnotated ? 'Defined by the application' : plural(variants.length, 'rule'),
    every: 60, events: ['rate_limit_rules', 'switches'], note: link(`#/rules?text=${encodeURIComponent(wanted)}`, 'Rules of this name'),
    read: async signal => (await get(`${ADMIN}/policies`, null, signal)).filter(isWanted),
    draw: data => {
      variants = data.length > 0 ? data : variants;
      const list = table({id: 'variants', caption: 'Where the policy is defined', key: each => each.source + each.tier,
        columns: [
          {title: 'From', cell: each => source(each.source)},
          {title: 'Limit', number: true, cell: each => [count(each.limit), sub(`per ${windowText(each.window)}`)]},
          {title: 'Tier', cell: each => each.tier === '*' || !each.tier ? 'all' : name(each.tier)},
          {title: 'At', low: true, cell: each => each.endpointPattern ? name(each.endpointPattern) : 'annotated endpoints'},
          {title: 'Counts', low: true, cell: each => [each.countBy.join(' + ') || 'all callers together', sub(`${each.algorithm.toLowerCase().replaceAll('_', ' ')}, ${each.mode.toLowerCase()}`)]},
          {title: 'State', cell: policyState},
        ]});
      list.update(variants);
      return list.element;
    },
  });

  const annotated = variants.find(each => each.source === 'application');
  const wins = !annotated ? h('p', {class: 'panel muted', id: 'policy-wins'}, 'Of the rules of a caller’s tier that match a request, those with the most specific pattern hold, and so do those of all tiers. Each of them must admit it, and every annotated policy too.') : section('policy-wins', 'Which limit wins', null,
    h('p', {class: 'muted'}, 'The first of these that applies to a caller: a switch that turns the policy off, a limit from a TierResolver, the caller’s own limit, then this list.'),
    h('ol', {class: 'lines', id: 'limits'}, annotated.limits.map(each => h('li', {class: 'spread'},
      h('span', null, each.tier === '*' ? 'All tiers' : ['Tier ', name(each.tier)]), h('span', null, h('b', null, count(each.limit)), ' from ', source(each.source)))),
      h('li', {class: 'spread'}, h('span', null, 'Everybody else'), h('span', null, h('b', null, count(annotated.limit)), ' from the application'))));

  const buckets = h('div');
  const showBuckets = async (next = null, shown = []) => {
    fill(buckets, h('p', {class: 'empty'}, 'Reading …'));
    try {
      const data = await get(`${ADMIN}/policies/${encodeURIComponent(wanted)}/buckets`, {limit: 100, cursor: next}, page.signal);
      const rows = [...shown, ...data.items];
      const list = table({id: 'buckets', caption: 'Buckets of the policy', key: each => each.bucket, empty: 'No bucket is in use.', sort: ['Left', false],
        columns: [{title: 'Bucket', cell: each => name(each.bucket)}, figure('Left', 'remaining'),
          {title: 'Full again in', number: true, value: each => each.resetAfter, cell: each => span(each.resetAfter)}]});
      list.update(rows);
      fill(buckets, list.element, data.next && button('Read more', () => showBuckets(data.next, rows), {kind: 'slim more'}));
    } catch (problem) {
      if (page.signal.aborted) return;
      fill(buckets, notice('', problem.status === 501 ? 'This store can’t list its buckets.' : 'The buckets can’t be read.', problem.status === 501 ? 'Only RocksDB and PostgreSQL can. Find a caller to see its buckets.' : problem.message));
    }
  };

  page.ticket(() => [...variants.map(each => `${each.source}${each.tier ? `, tier ${each.tier}` : ''}: ${count(each.limit)} per ${windowText(each.window)}, ${each.switched ? `switched ${each.switched}` : each.state}`),
    live.outcomes && OUTCOMES.map(each => `${LINES[each].label} ${rate(live.outcomes.policies.find(one => one.policy === counted)?.[each] ?? 0)}/s`).join(', ')]);

  const rule = variants.map(each => /^rule (\d+)$/.exec(each.source)?.[1]).find(Boolean);
  const encoded = encodeURIComponent(wanted);
  add(page.root, [
    page.head(name(wanted), {label: `Policy ${wanted}`, back: ['#/policies', 'Policies'], actions: page.canChange ? [
      isAnnotated ? h('a', {class: 'button', href: `#/rules/new?policy=${encoded}`, id: 'change-limit'}, icon('pen'), 'Change its limit')
        : rule && h('a', {class: 'button', href: addressOf.rule(rule), id: 'change-limit'}, icon('pen'), 'Change its rule'),
      h('a', {class: 'button', href: `#/switches?policy=${encoded}`, id: 'switch-policy'}, icon('switches'), 'Switch off for a while'),
    ] : []}),
    tiles,
    h('div', {class: 'grid'},
      h('div', {class: 'stack wide'}, definition.element,
        hoursPanel(page, {id: 'policy-hours', title: 'By hour, last 48 hours', policy: counted, hours: 48, changed: ofRule && Date.parse(ofRule.at)}).element),
      h('div', {class: 'stack narrow'}, wins,
        section('policy-buckets', 'Buckets', button('List them', () => showBuckets(), {kind: 'slim', id: 'list-buckets'}), buckets))),
  ]);
}
