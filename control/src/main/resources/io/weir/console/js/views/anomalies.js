// Anomalies: callers that use an endpoint far more often than usual.
import {call, get} from '../api.js';
import {add, h, name, slim, state, sub, words} from '../dom.js';
import {plural, when} from '../format.js';
import {figure, filters, table} from '../table.js';
import {confirmed} from '../page.js';
import {caller} from '../parts.js';

const ACTIONS = {ALLOW: ['Ended by a person', 'good'], MONITOR: ['Reported only', ''], THROTTLE: ['Half of its limits', 'warn'], BLOCK: ['Refused', 'bad']};

export function show(page) {
  const isCurrent = row => row.anomalous && Date.parse(row.until) > Date.now();
  const list = table({
    id: 'anomalies', isCards: true, caption: 'Anomalies', key: row => `${row.userId} ${row.endpoint} ${row.since}`, empty: 'No caller is unusual.', sort: ['Since', true],
    columns: [
      {title: 'Caller', value: 'userId', cell: row => [caller(row.userId), sub(name(row.endpoint))]},
      figure('Score', 'score', {cell: row => h('b', row.score.toFixed(1))}),
      {title: 'What is done', value: 'action', cell: row => { const [text, kind] = ACTIONS[row.action] ?? [row.action.toLowerCase(), '']; return state(text, kind, kind === 'bad' ? 'cross' : kind === 'warn' ? 'half' : kind ? 'check' : 'eye'); }},
      {title: 'Why', low: true, cell: row => words(row.reason)},
      {title: 'Since', value: 'since', cell: row => when(row.since, {utc: false})},
      {title: 'Until', low: true, value: 'until', cell: row => isCurrent(row) ? when(row.until) : h('span.muted', 'ended ', when(row.until, {utc: false}))},
      page.canChange && {title: '', cell: row => isCurrent(row) && slim('End', () => end(row), {data: {end: row.userId}})},
    ],
  });
  const which = filters([{name: 'which', label: 'Show', value: 'current', choices: [['current', 'those of now'], ['all', 'all that are kept']]}], () => panel.refresh());
  const panel = page.panel({
    id: 'anomaly-list', title: 'Unusual callers', every: 30, events: ['anomalies'],
    read: signal => get('anomalies', {current: which.values().which === 'current' ? true : undefined, limit: 500}, signal),
    content: [which.element, list.element],
    draw: ({items, next}) => {
      const rows = which.values().which === 'current' ? items.filter(isCurrent) : items;
      which.say(`${plural(rows.length, 'anomaly', 'anomalies')}${next ? ' or more' : ''}`);
      list.update(rows);
    },
  });

  async function end(row) {
    await confirmed('End this anomaly?', h('p', name(row.userId), ' isn’t limited for it at ', name(row.endpoint), ' for a day. What it does now counts as usual.'), 'End it', {id: 'end-anomaly'},
      () => call('POST', 'anomalies/end', {body: {userId: row.userId, endpoint: row.endpoint}}), 'Ended. Nodes follow within three seconds.');
    panel.refresh();
  }

  page.ticket(() => (panel.data?.items ?? []).slice(0, 20).map(each => `${each.userId} at ${each.endpoint}: score ${each.score.toFixed(1)}, ${each.action}, since ${each.since}`));
  add(page.root, [page.head('Anomalies', {sub: 'Callers that use an endpoint far more often than they did. A score above 2 is four times as often as usual, above 3 eight times, above 4 sixteen times. Each ends by itself after ten minutes.'}), panel.element]);
}
