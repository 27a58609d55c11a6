// My limits: what is left of each, my quota, and my usage today.
import {get} from '../api.js';
import {add, fill, h, link, name, notice, section, sub, tile} from '../dom.js';
import {count, limitText, plural, when} from '../format.js';
import {table} from '../table.js';
import {windowPicture} from '../parts.js';

export function show(page) {
  let data = null;
  const list = table({
    id: 'my-limits-table', caption: 'My limits', key: 'name', empty: 'No limit of your own. There may be limits that all share.',
    columns: [
      {title: 'Where', value: 'endpoint', cell: each => [name(each.endpoint), sub(name(each.name))]},
      {title: 'What is left', value: each => each.remaining / each.limit, cell: each => windowPicture(each)},
    ],
  });
  const head = h('div.tiles.four#my-tiles');
  const quota = h('div.stack');
  const now = h('div#my-state');
  const limits = page.panel({
    id: 'my-limits', title: 'What is left', every: 10, note: h('span.note', 'read every 10 seconds'),
    read: signal => get('/dashboard/status', null, signal),
    content: [now, list.element],
    draw: status => {
      data = status;
      const {usageStats: usage} = status;
      head.replaceChildren(
        tile('Tier', name(status.tier), link('#/me/upgrade', 'Ask for another')),
        tile('Today', count(usage.requestsToday), 'requests'),
        tile('This month', count(usage.requestsThisMonth), 'requests'),
        tile('In all', count(usage.totalRequests), 'requests'));
      quota.replaceChildren(...status.quota ? [quotaPanel(status.quota)] : []);
      const isOut = status.rateLimits.filter(each => each.remaining <= 0);
      fill(now, status.bans.map(({policy, until, reason}) => h('div#my-ban', notice('bad', 'You are banned', policy && ['by ', name(policy)], ' until ', when(until), reason && [', since there were ', name(reason)], '. Until then requests are answered with 429, whatever is left.'))),
        status.access && status.access !== 'BAN' && h('div#my-access', status.access === 'DENY' ? notice('bad', 'You are shut out.', 'The operator denies this account: every request is answered with 403, whatever is left.')
        : notice('good', 'No limit refuses you.', 'The operator lets this account through.')),
      status.incomplete && h('div#my-limits-incomplete', notice('warn', 'These may be wrong.', 'The store that counts is slow or can’t be reached: limits may be missing, and what is left is this server’s guess.')),
        isOut.length > 0 && notice('bad', 'Refused at the moment', `at ${isOut.map(each => `${each.endpoint} (${limitText(each.limit, each.window)})`).join(', ')}. More at `, when(Math.min(...isOut.map(each => each.resetTime)) * 1000), '.'));
      list.update([...status.rateLimits].sort((a, b) => a.remaining / a.limit - b.remaining / b.limit));
    },
  });
  page.ticket(() => data ? [`User ${data.userId}, tier ${data.tier}`, ...data.rateLimits.map(each => `${each.endpoint}: ${count(each.remaining)} of ${count(each.limit)} left`), data.quota && `Quota: ${count(data.quota.available)} of ${count(data.quota.limit + data.quota.rollover + data.quota.granted)} left`] : []);
  add(page.root, [
    page.head('My limits', {isUser: true, sub: 'What you have left right now, and when there is more.'}),
    head, quota, limits.element,
    h('p', link('#/me/refusals', 'When and by what was I refused?'), ' · ', link('#/me/usage', 'My usage')),
  ]);
}

function quotaPanel(quota) {
  const all = quota.limit + quota.rollover + quota.granted;
  return section('my-quota', 'Quota of this period', h('span.note', 'ends ', when(quota.resetsAt)),
    windowPicture({limit: all, remaining: quota.available, resetTime: Date.parse(quota.resetsAt) / 1000}),
    h('p.small.muted', `${plural(quota.used, 'permit')} used of ${count(quota.limit)}${quota.rollover > 0 ? `, ${count(quota.rollover)} that rolled over` : ''}${quota.granted > 0 ? `, ${count(quota.granted)} that were granted` : ''}.`));
}
