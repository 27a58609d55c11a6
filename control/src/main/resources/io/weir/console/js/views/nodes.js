// Nodes: who decides requests, and whether each reaches the store.
import {get} from '../api.js';
import {add, h, name, notice, state, sub} from '../dom.js';
import {count, plural, rate, span, when} from '../format.js';
import {live} from '../live.js';
import {figure, table} from '../table.js';
import {latencyText} from './now.js';

const SILENT_AFTER = 15;
const OFFSET = 1000;

export function show(page) {
  let newest = 0;
  const age = row => Math.max(0, (Date.now() - Date.parse(row.seenAt)) / 1000 - (live.clockAhead ?? 0));
  const list = table({
    id: 'nodes', caption: 'Nodes', key: 'node', empty: 'No node reports itself.', sort: ['Node', false],
    columns: [
      {title: 'Node', value: 'node', cell: row => [name(row.node), sub(row.version && `Weir ${row.version}, `, 'since ', when(row.startedAt, {utc: false}))]},
      {title: 'State', sign: row => `${row.breaker}${age(row) > SILENT_AFTER}${row.mayWrite}${row.dropped}${row.note}`, value: 'breaker', cell: row => [
        age(row) > SILENT_AFTER ? state('Silent', 'bad', 'cross') : /open/i.test(row.breaker) ? state('Store away', 'bad', 'cross') : state('Well', 'good', 'check'),
        row.mayWrite === false && [' ', state('May not write', 'warn', 'problems')], row.dropped > 0 && sub(`${count(row.dropped)} records dropped`), row.note && sub(row.note)]},
      {title: 'Seen', sign: row => span(age(row)), value: 'seenAt', cell: row => h('span.utc', `${span(age(row))} ago`)},
      {title: 'Exchanges/s', number: true, low: true, value: 'exchangesPerSecond', cell: row => rate(row.exchangesPerSecond)},
      {title: 'Latency', number: true, low: true, value: 'storeLatency', cell: row => row.storeLatency == null ? '–' : latencyText(row.storeLatency)},
      {title: 'Rules', number: true, low: true, value: 'rulesVersion', cell: row => [count(row.rulesVersion), row.rulesVersion < newest && sub('older')]},
      {title: 'Clock', number: true, low: true, value: 'clockOffsetMillis', cell: row => offset(row.clockOffsetMillis)},
      figure('Admitted', 'admitted', {low: true}),
      figure('Refused', 'refused', {low: true}),
      figure('Degraded', 'degraded', {low: true}),
    ],
  });
  const notes = h('div.stack');
  const panel = page.panel({
    id: 'node-list', title: 'Running', every: 5, events: ['store-away', 'store-back'],
    read: signal => get('nodes', null, signal),
    content: [notes, list.element],
    draw: rows => {
      newest = Math.max(0, ...rows.map(each => each.rulesVersion ?? 0));
      const wrong = rows.filter(each => Math.abs(each.clockOffsetMillis ?? 0) > OFFSET);
      const mute = rows.filter(each => each.mayWrite === false);
      notes.replaceChildren(...[
        wrong.length > 0 && notice('warn', 'Clocks differ.', `${plural(wrong.length, 'node is', 'nodes are')} more than a second off the database’s clock. Windows begin and end by the store’s time, so limits hold; times in logs differ.`),
        mute.length > 0 && h('div#may-not-write', notice('warn', 'Not all nodes may write.', `The database role of ${mute.map(each => each.node).join(', ')} may not write its figures, so sums lack them. The log names the GRANT that is missing.`)),
      ].filter(Boolean));
      list.update(rows);
    },
  });
  page.ticket(() => (panel.data ?? []).map(each => `${each.node}: seen ${span(age(each))} ago, store ${each.breaker}, ${each.storeLatency ?? '–'} µs, rules ${each.rulesVersion ?? '–'}, clock ${each.clockOffsetMillis ?? '–'} ms`));
  add(page.root, [page.head('Nodes', {sub: 'Each reports itself every five seconds. Counts are since its start.'}), panel.element]);
}

function offset(millis) {
  if (millis == null) return '–';
  const text = `${millis > 0 ? '+' : ''}${Math.abs(millis) < 10_000 ? `${count(millis)} ms` : `${count(millis / 1000)} s`}`;
  return Math.abs(millis) > OFFSET ? h('b', text) : text;
}
