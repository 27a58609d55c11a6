// My usage: by day, hour and endpoint.
import {get} from '../api.js';
import {add, h, name, section, sub} from '../dom.js';
import {count, dayOf, hoursAgo, hourText, percent, plural} from '../format.js';
import {field} from '../form.js';
import {chart} from '../chart.js';
import {table} from '../table.js';
import {hourColumns} from '../parts.js';

const LINES = ['admitted', 'refused'];

export function show(page) {
  const days = Number(page.query.get('days')) || 30;
  const options = {lines: LINES, labels: {admitted: 'Requests', refused: 'Refused'}, bars: true, format: count, signal: page.signal};
  const byDay = chart({id: 'my-days', title: 'My requests by day', ...options, days: true, height: 170, time: dayOf});
  const byHour = chart({id: 'my-hours', title: 'My requests by hour', ...options, height: 150, time: hourText});
  const endpoints = table({
    id: 'my-endpoints', caption: 'My requests by endpoint', key: 'endpoint', sort: ['Requests', true], empty: 'No requests in this time.',
    columns: [{title: 'Endpoint', value: 'endpoint', cell: each => name(each.endpoint)}, {title: 'Requests', number: true, value: 'requests', cell: each => [count(each.requests), sub(percent(each.requests, total))]}],
  });
  let total = 0;
  let rows = [];
  const span = field('my-span', {label: 'Time', choices: [['7', '7 days'], ['30', '30 days'], ['90', '90 days'], ['365', '365 days']], value: String(days)});
  span.input.addEventListener('change', () => { location.hash = `#/me/usage?days=${span.value}`; });
  const dayPanel = page.panel({
    id: 'my-day-panel', title: 'By day (UTC)', every: 120,
    read: signal => {
      const end = new Date();
      const start = new Date(end.getTime() - (days - 1) * 86400e3);
      return get('/dashboard/usage/history', {startDate: start.toISOString().slice(0, 10), endDate: end.toISOString().slice(0, 10)}, signal);
    },
    content: [byDay.element],
    draw: data => {
      byDay.set([data.days.map(each => Date.parse(`${each.date}T00:00:00Z`) / 1000), data.days.map(each => each.requests), data.days.map(each => each.refused)]);
      const sums = new Map();
      for (const day of data.days) for (const [endpoint, number] of Object.entries(day.byEndpoint)) sums.set(endpoint, (sums.get(endpoint) ?? 0) + number);
      rows = [...sums].map(([endpoint, requests]) => ({endpoint, requests}));
      total = rows.reduce((all, each) => all + each.requests, 0);
      endpoints.update(rows);
    },
  });
  const hourPanel = page.panel({
    id: 'my-hour-panel', title: 'By hour, last 48 hours', every: 60,
    read: async signal => {
      const from = hoursAgo(47);
      return {from, hours: await get('/dashboard/usage/hours', {from: from.toISOString(), to: new Date().toISOString()}, signal)};
    },
    content: [byHour.element],
    draw: ({from, hours}) => {
      byHour.set(hourColumns(hours.map(each => ({startsAt: each.startsAt, admitted: each.requests, refused: each.refused})), from.getTime(), Date.now(), LINES));
    },
  });
  page.ticket(() => [`Last ${plural(days, 'day')}: ${plural(total, 'request')}`, ...rows.slice(0, 20).map(each => `${each.endpoint}: ${count(each.requests)}`)]);
  add(page.root, [
    page.head('My usage', {isUser: true, sub: 'The last seconds are missing.'}),
    h('div.filters', span.element),
    dayPanel.element, hourPanel.element,
    section('my-endpoint-panel', `By endpoint, ${plural(days, 'day')}`, null, endpoints.element),
  ]);
}
