// Now: what is admitted and refused at the moment, by whom, and whether all is well.
import {get} from '../api.js';
import {add, fill, h, link, name, notice, section, state, sub, words} from '../dom.js';
import {count, percent, plural, rate, span, when} from '../format.js';
import {decisions, live, OUTCOMES} from '../live.js';
import {chart, LINES, spark, swatch} from '../chart.js';
import {table} from '../table.js';
import {caller, changeDetail, changeTarget, changeText, hoursPanel, policy, RESTORABLE} from '../parts.js';

const EXPLAINED = {
  admitted: 'within their limits', refused: 'answered with 429', soft: 'let through beyond limits',
  shadowRefused: 'let through; a shadow would refuse', degraded: 'decided without the store',
};
const SORTS = {admitted: 'Admitted', refused: 'Refused', soft: 'Soft', shadowRefused: 'Shadow', degraded: 'Degraded'};

export function show(page) {
  const values = {};
  const tiles = h('div.tiles#tiles', OUTCOMES.map(each => {
    const value = h('span.value', {id: `value-${each}`}, '–');
    const of = h('span.of', EXPLAINED[each]);
    values[each] = {value, of};
    return h('a', {href: each === 'degraded' ? '#/nodes' : `#/policies?sort=${each}`, id: `tile-${each}`},
      h('span.label', swatch(each), LINES[each].label), value, of);
  }));
  const none = h('div', {hidden: true});

  const charts = [['admitted', 'Admitted per second', ['admitted']], ['others', 'Refused and the rest, per second', OUTCOMES.slice(1)]].map(([id, title, lines]) => {
    const drawn = chart({id: `now-chart-${id}`, title: `${title}, last 15 minutes`, lines, height: 170, signal: page.signal});
    const panel = section(`now-${id}-rates`, title, null, drawn.element);
    panel.classList.add('half');
    return {lines, drawn, panel};
  });

  const policies = table({
    id: 'now-policies', caption: 'Outcomes per second by policy', key: 'policy', isLive: true, page: 12, sort: ['Refused', true],
    empty: 'No policy has decided anything in the last seconds.',
    columns: [
      {title: 'Policy', cell: row => row.policy === '*' ? 'all others' : policy(row.policy), value: 'policy', sign: 'policy'},
      {title: 'Last 5 min', low: true, cell: row => spark(live.historyOf(row.policy).map(each => each[1] + each[2]), 'admitted'), sign: row => `${live.outcomes?.at} ${live.historyOf(row.policy).length}`},
      ...OUTCOMES.map(each => ({title: SORTS[each], number: true, low: each !== 'admitted' && each !== 'refused', value: row => row[each],
        cell: row => h(row[each] === 0 ? 'span' : each === 'refused' ? 'b' : 'span', {class: row[each] === 0 ? 'muted' : null}, rate(row[each])), sign: row => rate(row[each])})),
    ],
  });
  const policyPanel = section('now-by-policy', 'By policy, per second', link('#/policies', 'All policies'), policies.element);

  function draw() {
    const outcomes = live.outcomes;
    none.hidden = Boolean(outcomes) || !live.problem;
    if (!outcomes) {
      if (live.problem) fill(none, notice('warn', 'No figures.', live.problem.message));
      return;
    }
    const {totals} = outcomes;
    const all = decisions(totals);
    for (const each of OUTCOMES) {
      fill(values[each].value, rate(totals[each]), h('small', '/s'));
      values[each].of.textContent = totals[each] > 0 && each !== 'admitted' ? `${percent(totals[each], all)} of decisions` : EXPLAINED[each];
    }
    for (const each of charts) each.drawn.set([live.history.map(point => point[0]), ...each.lines.map(line => live.history.map(point => point[1]?.[line] ?? null))]);
    policies.update(outcomes.policies);
  }
  live.on('outcomes', draw, page.signal);
  live.on('state', isOther => { if (isOther) draw(); }, page.signal);

  let top = [];
  const refused = page.panel({
    id: 'now-refused', title: 'Most refused, last 10 minutes', note: [link('#/callers', 'Last hour'), link('#/usage?span=1', 'Busiest')], every: 15,
    read: signal => get('refused', {limit: 10, from: new Date(Date.now() - 600e3).toISOString()}, signal),
    draw: rows => {
      top = rows;
      if (rows.length === 0) return h('p.empty', 'Nobody was refused in the last 10 minutes.');
      const list = table({id: 'now-top', caption: 'Callers that were refused most lately', key: 'userId',
        columns: [
          {title: 'Caller', cell: row => [caller(row.userId), sub(row.policies.slice(0, 2).map((each, i) => [i > 0 && ', ', name(each)]), row.policies.length > 2 && ' …')]},
          {title: 'Refused', number: true, cell: row => h('b', count(row.refused))},
          {title: 'Last', low: true, cell: row => when(row.lastAt, {utc: false})},
        ]});
      list.update(rows);
      return list.element;
    },
  });

  const health = page.panel({
    id: 'now-health', title: 'Health', note: link('#/nodes', 'Nodes'), every: 15, events: ['problem', 'mended', 'store-away', 'store-back', 'region-away', 'region-back', 'tier_upgrade_requests', 'anomalies'],
    read: async signal => {
      const or = promise => promise.catch(problem => { if (signal.aborted) throw problem; return problem; });
      const [nodes, problems, pending, anomalies, regions] = await Promise.all([or(get('nodes', null, signal)), or(get('problems', null, signal)),
        or(get('upgrades/pending', null, signal)), or(get('anomalies', {current: true, limit: 100}, signal)), or(get('regions', null, signal))]);
      return {nodes, problems, pending, anomalies, regions};
    },
    draw: ({nodes, problems, pending, anomalies, regions}) => {
      const mark = (kind, text) => state(text, kind, {good: 'check', bad: 'cross', warn: 'problems'}[kind]);
      const line = (id, title, found, address) => h('li.spread', {id: `health-${id}`}, h('span', title), link(address, found));
      const failed = each => each instanceof Error;
      const found = (number, kind, text) => number > 0 ? mark(kind, text) : mark('good', 'none');
      const lines = [];
      if (failed(nodes)) {
        lines.push(line('nodes', 'Nodes', mark('bad', 'can’t be read'), '#/nodes'));
      } else {
        const open = nodes.filter(each => /open/i.test(each.breaker)).length;
        const latencies = nodes.map(each => each.storeLatency).filter(each => each != null);
        const silent = live.outcomes?.silentNodes ?? 0;
        lines.push(line('nodes', 'Nodes', mark(nodes.length > 0 && silent === 0 ? 'good' : 'warn', plural(nodes.length, 'node') + (silent > 0 ? `, ${silent} silent` : '')), '#/nodes'),
          line('store', 'Store', open > 0 ? mark('bad', `away on ${plural(open, 'node')}`) : mark('good', 'reached by all'), '#/nodes'),
          latencies.length > 0 && line('latency', 'Slowest store latency', latencyText(Math.max(...latencies)), '#/nodes'),
          line('exchanges', 'Exchanges with the store', `${rate(nodes.reduce((all, each) => all + (each.exchangesPerSecond ?? 0), 0))}/s`, '#/nodes'));
      }
      if (!failed(regions)) lines.push(...regions.map(each => regionLine(each, mark)));
      const [warnings, wrong] = failed(problems) ? [[], []] : [true, false].map(each => problems.filter(one => Boolean(one.isWarning) === each));
      const unusual = failed(anomalies) ? 0 : anomalies.items.filter(each => each.anomalous).length;
      return h('ul.lines', lines,
        line('problems', 'Rows that can’t be used', failed(problems) ? mark('bad', 'can’t be read') : found(wrong.length, 'bad', count(wrong.length)), '#/problems'),
        warnings.length > 0 && line('warnings', 'Warnings about rows', mark('warn', count(warnings.length)), '#/problems'),
        !failed(anomalies) && line('anomalies', 'Unusual callers', found(unusual, 'warn', count(unusual)), '#/anomalies'),
        !failed(pending) && line('upgrades', 'Upgrade requests', found(pending.pending, 'warn', `${count(pending.pending)} waiting`), '#/upgrades'));
    },
  });

  const changes = page.panel({
    id: 'now-changes', title: 'Changed last', note: link('#/changes', 'All changes'), every: 60,
    events: RESTORABLE,
    read: signal => get('changes', {limit: 6}, signal),
    draw: ({items}) => items.length === 0 ? h('p.empty', 'Nothing has changed yet.')
      : h('ul.lines', items.map(each => {
        const [address, text] = changeTarget(each);
        return h('li', h('div.spread', h('span', changeText(each), ': ', address ? link(address, name(text)) : name(text)), when(each.at, {utc: false})),
          h('span.sub.muted.small', words(changeDetail(each)), ' by ', words(each.by || 'SQL')));
      })),
  });

  page.ticket(() => live.outcomes ? [
    OUTCOMES.map(each => `${LINES[each].label} ${rate(live.outcomes.totals[each])}/s`).join(', ') + ` (${plural(live.outcomes.nodes, 'node')}, ${span(live.age)} old)`,
    ...[...live.outcomes.policies].filter(each => each.refused > 0).sort((a, b) => b.refused - a.refused).slice(0, 5).map(each => `Policy ${each.policy}: ${rate(each.refused)} refused/s`),
    ...top.slice(0, 5).map(each => `${each.userId}: ${count(each.refused)} refused in the last 10 minutes, by ${each.policies.join(', ')}`),
  ] : ['No figures.']);

  add(page.root, [
    page.head('Now'), none, tiles, h('div.grid', charts.map(each => each.panel)),
    h('div.grid',
      h('div.stack.wide', policyPanel, hoursPanel(page, {id: 'now-hours', title: 'By hour, last 24 hours'}).element),
      h('div.stack.narrow', refused.element, health.element, changes.element)),
  ]);
  draw();
}

/** A region as the node that answers sees it, and how long ago each of the two last heard of the other. */
function regionLine(region, mark) {
  const lost = region.unreported + region.dropped;
  const said = [region.trouble, ...[['answered', region.reportedSecondsAgo], ['reported', region.heardSecondsAgo]].map(([what, age]) => age != null && `${what} ${span(age)} ago`),
    lost > 0 && `${plural(lost, 'permit')} not reported`].filter(Boolean).join('; ');
  const unheard = !region.isOwn && region.share == null && (region.reportedSecondsAgo ?? region.heardSecondsAgo) == null;
  return h('li.spread', {id: `health-region-${region.name}`}, h('span', 'Region ', name(region.name), said && sub(words(said))),
    region.isCutOff ? mark('warn', 'cut off') : unheard ? mark('warn', 'not heard of yet') : mark('good', region.isOwn ? 'this one' : region.share == null ? 'heard of' : `${region.share} %`));
}

export function latencyText(micros) {
  return micros < 1000 ? `${count(micros)} µs` : `${(micros / 1000).toFixed(micros < 10_000 ? 1 : 0)} ms`;
}
