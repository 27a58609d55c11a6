// Usage: by user, endpoint and tier, in a span of time, and as CSV.
import {address, get} from '../api.js';
import {add, button, fill, h, icon, name, notice, sub} from '../dom.js';
import {count, hoursAgo, percent, plural, timeText} from '../format.js';
import {field} from '../form.js';
import {figure, table} from '../table.js';
import {caller, hoursPanel} from '../parts.js';

const BY = {
  user: ['User', 'usage', 'users'], endpoint: ['Endpoint', 'usage/endpoints', 'endpoints'], tier: ['Tier', 'usage/tiers', 'tiers'],
};
const SPANS = [['1', 'this hour and the last'], ['24', 'last 24 hours'], ['168', 'last 7 days'], ['720', 'last 30 days'], ['2208', 'last 92 days'], ['own', 'other …']];

export function show(page) {
  const by = BY[page.query.get('by')] ? page.query.get('by') : 'user';
  const hours = page.query.get('span') ?? '24';
  const isOwn = hours === 'own';
  const from = isOwn ? new Date(page.query.get('from') ?? hoursAgo(24)) : hoursAgo(Number(hours));
  const to = isOwn && page.query.get('to') ? new Date(page.query.get('to')) : new Date();
  const query = {from: from.toISOString(), to: to.toISOString()};
  const [title, path] = BY[by];

  const here = changes => `#/usage?${new URLSearchParams({by, span: hours, ...(isOwn ? query : {}), ...changes})}`;
  const go = changes => { location.hash = here(changes); };
  const span = field('usage-span', {label: 'Time', choices: SPANS, value: SPANS.some(each => each[0] === hours) ? hours : '24'});
  span.input.addEventListener('change', () => go({span: span.value}));
  const start = field('usage-from', {label: 'From', kind: 'time', value: from});
  const end = field('usage-to', {label: 'To', kind: 'time', value: to});
  const own = isOwn && [start.element, end.element, button('Show', () => {
    const [first, last] = [start.value, end.value];
    start.error(first ? null : 'must be given');
    end.error(!last ? 'must be given' : last <= first ? 'must be after the beginning' : null);
    if (first && last && last > first) go({from: first, to: last});
  }, {id: 'usage-show'})];

  const share = rows => rows.reduce((all, each) => all + each.requests, 0);
  let total = 0;
  const columns = [
    {title, value: row => row.userId ?? row.endpoint ?? row.tier, cell: row => by === 'user' || row.tier === '*' ? caller(row.userId ?? row.tier) : name(row.endpoint ?? row.tier)},
    ...(by === 'user' ? [] : [figure('Users', 'users', {low: true})]),
    figure('Requests', 'requests', {cell: row => [count(row.requests), sub(percent(row.requests, total))], sign: row => `${row.requests} ${total}`}),
    figure('Refused', 'refused', {cell: row => [row.refused > 0 ? h('b', count(row.refused)) : '0', row.refused > 0 && sub(percent(row.refused, row.requests))]}),
    figure('Permits', 'permits', {low: true}),
    ...(by === 'endpoint' ? [figure('Busiest minute', 'peakMinute', {low: true})] : []),
  ];
  const list = table({id: 'usage', caption: `Usage by ${by}`, key: row => row.userId ?? row.endpoint ?? row.tier, columns, sort: ['Requests', true], empty: 'Nothing was used in this time.'});
  const more = h('div');
  let rows = [];
  const panel = page.panel({
    id: 'usage-list', title: `By ${by}`, note: h('a.button.slim', {href: address(path, {...query, format: 'csv', limit: by === 'tier' ? null : 100_000}), download: '', id: 'usage-csv'}, icon('download'), 'CSV'),
    read: signal => get(path, by === 'tier' ? query : {...query, limit: 500}, signal),
    content: [by === 'tier' && notice('', null, 'The tier is that of today, also for what a user did before.'), list.element, more],
    draw: data => {
      rows = data.items ?? data;
      drawRows(data.next);
    },
  });

  function drawRows(next) {
    total = share(rows);
    list.update(rows);
    fill(more, next && [h('p.small.muted', `The first ${count(rows.length)}. The CSV has up to 100,000.`), page.more('Read more', more, async () => {
      const data = await get(path, {...query, limit: 500, cursor: next}, page.signal);
      rows = [...rows, ...data.items];
      drawRows(data.next);
    })]);
  }

  page.ticket(() => [`Usage by ${by} from ${timeText(from)} to ${timeText(to)}`, ...rows.slice(0, 20).map(each => `${each.userId ?? each.endpoint ?? each.tier}: ${plural(each.requests, 'request')}, ${count(each.refused)} refused`)]);
  add(page.root, [
    page.head('Usage', {sub: 'What known users and keys used. All others together are “all others”. The last seconds are missing.'}),
    h('div.panel.filters', {role: 'group', 'aria-label': 'What to show'},
      h('nav', {'aria-label': 'Usage by', class: 'row'}, Object.entries(BY).map(([each, [text]]) => h('a', {class: `button ${each === by ? 'primary' : ''}`, href: here({by: each}), id: `usage-by-${each}`, 'aria-current': each === by ? 'true' : null}, `By ${text.toLowerCase()}`))),
      span.element, own),
    panel.element,
    Number(hours) <= 168 && hoursPanel(page, {id: 'usage-hours', title: hours === '168' ? 'By hour, last 7 days' : 'By hour, last 24 hours', hours: Math.max(24, hours), note: h('span.note', 'all policies, all callers')}).element,
  ]);
}
