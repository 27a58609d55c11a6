// My refusals: when, where and by what, summed up by minute or endpoint.
import {get} from '../api.js';
import {add, h, name, sub} from '../dom.js';
import {hoursAgo, plural, timeText, when} from '../format.js';
import {figure, filters, table} from '../table.js';

export function show(page) {
  const list = table({
    id: 'my-refusals', caption: 'My refusals', key: 'key', sort: ['When', true], empty: 'You weren’t refused in this time.',
    columns: [
      {title: 'When', value: 'at', cell: each => each.first === each.at ? when(each.at) : [when(each.at), sub('since ', when(each.first))]},
      {title: 'Where', value: 'endpoint', cell: each => [name(each.endpoint), sub(name(each.policy))]},
      figure('Times', 'count'),
    ],
  });
  const which = filters([{name: 'hours', label: 'Time', value: '24', choices: [['1', 'last hour'], ['24', 'last 24 hours'], ['168', 'last 7 days'], ['720', 'last 30 days']]},
    {name: 'by', label: 'Sum by', value: 'minute', choices: [['minute', 'minute'], ['endpoint', 'endpoint']]}], () => panel.refresh());
  const panel = page.panel({
    id: 'my-refusal-list', title: 'Refused with 429', every: 15,
    read: signal => {
      const hours = Number(which.values().hours);
      return get('/dashboard/refusals', {from: hours === 1 ? new Date(Date.now() - 3600e3).toISOString() : hoursAgo(hours).toISOString(), to: new Date(Date.now() + 1000).toISOString(), limit: 1000}, signal);
    },
    content: [which.element, list.element],
    draw: rows => {
      which.say(`${plural(rows.reduce((all, each) => all + each.count, 0), 'request')} refused${rows.length === 1000 ? ', or more' : ''}`);
      list.update(summed(rows, which.values().by));
    },
  });
  page.ticket(() => summed(panel.data ?? [], which.values().by).slice(0, 20).map(each => `${timeText(each.at)}: ${each.count}× at ${each.endpoint} by ${each.policy}`));
  add(page.root, [page.head('My refusals', {isUser: true, sub: ['A line for each endpoint and limit. When you may again is in ', h('a', {href: '#/me'}, 'my limits'), '.']}), panel.element]);
}

/** Adds up refusals of one endpoint and policy: all, or those of each minute. */
export function summed(rows, by) {
  const sums = new Map();
  for (const {at, endpoint, policy, count} of rows) {
    const key = JSON.stringify([by === 'minute' ? at.slice(0, 16) : '', endpoint, policy]);
    const sum = sums.get(key) ?? {key, endpoint, policy, at, first: at, count: 0};
    sums.set(key, {...sum, at: at > sum.at ? at : sum.at, first: at < sum.first ? at : sum.first, count: sum.count + count});
  }
  return [...sums.values()].sort((a, b) => a.at < b.at ? 1 : a.at > b.at ? -1 : 0);
}
