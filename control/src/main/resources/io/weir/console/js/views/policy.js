// One policy: its limit, who wins, what it does now and by the hour, and its buckets.
import {all as readAll, get} from '../api.js';
import {add, button, fill, h, icon, link, name, notice, section, slim, sub} from '../dom.js';
import {count, limitText, plural, rate, ruleWindow, span, windowText} from '../format.js';
import {live, OUTCOMES} from '../live.js';
import {LINES, swatch} from '../chart.js';
import {figure, table} from '../table.js';
import {addressOf, countedAs, hoursPanel, policyState, ruleCountedAs, ruleState, source} from '../parts.js';
import {nothingHere} from '../page.js';

export async function show(page) {
  const wanted = page.params.name;
  const changes = table => get('changes', {table, limit: 50}, page.signal).then(each => each.items, () => []);
  const [all, ofRules, ofSwitches] = await Promise.all([get('policies', null, page.signal), changes('rate_limit_rules'), changes('switches')]);
  const isWanted = each => each.name === wanted || countedAs(each) === wanted;
  let variants = all.filter(isWanted);
  const counted = variants.length > 0 ? countedAs(variants[0]) : wanted;
  if (variants.length === 0) {
    if (wanted === 'weir-sessions') {
      nothingHere(page, 'The server’s own limit: a user, or a token of a program, opens at most five sessions a minute. It can’t be changed.', 'weir-sessions');
      return;
    }
    nothingHere(page, `No policy of the name ${wanted} is in force. It may be a draft, have ended, or be of an endpoint that no request has reached yet.`);
    page.root.append(h('p', link(`#/rules?text=${encodeURIComponent(wanted)}`, 'Look among the rules')));
    return;
  }
  const changed = [...ofRules.filter(each => variants.some(one => one.source === `rule ${each.rowKey}`)), ...ofSwitches.filter(each => [wanted, counted, '*'].includes(each.rowKey))]
    .map(tookEffect).sort((one, other) => other - one)[0];
  const isAnnotated = variants.some(each => each.source === 'application');
  const values = {};
  const tiles = h('div.tiles#tiles', OUTCOMES.map(each => {
    values[each] = h('span.value', '–');
    return h('div', h('span.label', swatch(each), LINES[each].label), values[each]);
  }));
  const now = outcome => rate(live.outcomes.policies.find(each => each.policy === counted)?.[outcome] ?? 0);
  const draw = () => {
    for (const each of OUTCOMES) fill(values[each], live.outcomes ? [now(each), h('small', '/s')] : '–');
  };
  live.on('outcomes', draw, page.signal);
  draw();

  const definition = page.panel({
    id: 'policy-definition', title: isAnnotated ? 'Defined by the application' : plural(variants.length, 'rule'),
    every: 60, events: ['rate_limit_rules', 'switches'], note: link(`#/rules?text=${encodeURIComponent(wanted)}`, 'Rules of this name'),
    read: async signal => {
      const [policies, {items}] = await Promise.all([get('policies', null, signal), readAll('rules', null, signal)]);
      return {data: policies.filter(isWanted), later: items.filter(each => [each.name, ruleCountedAs(each)].includes(counted) && (Date.parse(each.validFrom) > Date.now() || Date.parse(each.validUntil) > Date.now()))};
    },
    draw: ({data, later}) => {
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
      return [list.element, later.length > 0 && [h('h3', 'Scheduled'), h('ul.lines#policy-scheduled', later.map(each => h('li.spread',
        h('span', link(addressOf.rule(each.id), limitText(each.limitCount, ruleWindow(each))), each.tier === '*' ? ' for all tiers' : [' for tier ', name(each.tier)]), h('span', ruleState(each)))))]];
    },
  });

  const annotated = variants.find(each => each.source === 'application');
  const wins = !annotated ? h('p.panel.muted#policy-wins', 'Of the rules of a caller’s tier that match a request, those with the most specific pattern hold, and so do those of all tiers. Each of them must admit it, and every annotated policy too.') : section('policy-wins', 'Which limit wins', null,
    h('p.muted', 'The first of these that applies to a caller: a switch that turns the policy off, a limit from a TierResolver, the caller’s own limit, then this list.'),
    h('ol.lines#limits', annotated.limits.map(each => h('li.spread',
      h('span', each.tier === '*' ? 'All tiers' : ['Tier ', name(each.tier)]), h('span', h('b', count(each.limit)), ' from ', source(each.source)))),
      h('li.spread', h('span', 'Everybody else'), h('span', h('b', count(annotated.limit)), ' from the application'))));

  const buckets = h('div');
  const showBuckets = async (next = null, shown = []) => {
    fill(buckets, h('p.empty', 'Reading …'));
    try {
      const data = await get(`policies/${encodeURIComponent(wanted)}/buckets`, {limit: 100, cursor: next}, page.signal);
      const rows = [...shown, ...data.items];
      const list = table({id: 'buckets', caption: 'Buckets of the policy', key: 'bucket', empty: 'No bucket is in use.', sort: ['Left', false],
        columns: [{title: 'Bucket', cell: each => name(each.bucket)}, figure('Left', 'remaining'),
          figure('Full again in', 'resetAfter', {cell: each => span(each.resetAfter)})]});
      list.update(rows);
      fill(buckets, list.element, data.next && button('Read more', () => showBuckets(data.next, rows), {kind: 'slim more'}));
    } catch (problem) {
      if (page.signal.aborted) return;
      fill(buckets, notice('', problem.status === 501 ? 'This store can’t list its buckets.' : 'The buckets can’t be read.', problem.status === 501 ? 'Only RocksDB and PostgreSQL can. Find a caller to see its buckets.' : problem.message));
    }
  };

  page.ticket(() => [...variants.map(each => `${each.source}${each.tier ? `, tier ${each.tier}` : ''}: ${count(each.limit)} per ${windowText(each.window)}, ${each.switched ? `switched ${each.switched}` : each.state}`),
    live.outcomes && OUTCOMES.map(each => `${LINES[each].label} ${now(each)}/s`).join(', ')]);

  const rule = variants.map(each => /^rule (\d+)$/.exec(each.source)?.[1]).find(Boolean);
  const encoded = encodeURIComponent(wanted);
  add(page.root, [
    page.head(name(wanted), {label: `Policy ${wanted}`, back: ['#/policies', 'Policies'], actions: page.canChange ? [
      isAnnotated ? h('a.button', {href: `#/rules/new?policy=${encoded}`, id: 'change-limit'}, icon('pen'), 'Change its limit')
        : rule && h('a.button#change-limit', {href: addressOf.rule(rule)}, icon('pen'), 'Change its rule'),
      h('a.button', {href: `#/switches?policy=${encoded}`, id: 'switch-policy'}, icon('switches'), 'Switch off for a while'),
    ] : []}),
    tiles,
    h('div.grid',
      h('div.stack.wide', definition.element,
        hoursPanel(page, {id: 'policy-hours', title: 'By hour, last 48 hours', policy: counted, hours: 48, changed}).element),
      h('div.stack.narrow', wins,
        section('policy-buckets', 'Buckets', slim('List them', () => showBuckets(), {id: 'list-buckets'}), buckets))),
  ]);
}

/** When a change of a row took effect last: when it was made, or when the row began or ended since. */
function tookEffect({at, after}) {
  return Math.max(...[at, after?.valid_from, after?.valid_until, after?.until].map(each => Date.parse(each)).filter(each => each <= Date.now()));
}
