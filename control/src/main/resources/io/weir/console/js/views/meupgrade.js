// My tier: those that I may ask for, and what became of my requests.
import {call, get} from '../api.js';
import {add, h, name, notice, slim, state, toast, words} from '../dom.js';
import {limitText, when} from '../format.js';
import {field, formDialog} from '../form.js';
import {confirmed} from '../page.js';
import {upgradeState} from './upgrades.js';

export function show(page) {
  let isWaiting = false;
  let data = null;
  const tiers = page.panel({
    id: 'my-tiers', title: 'Tiers', every: 120,
    read: signal => get('/dashboard/tiers', null, signal),
    draw: all => {
      data = all;
      return h('ul.lines', all.map(each => h('li', {data: {tier: each.tier}}, h('div.spread',
        h('h3', name(each.tier), ' ', each.current && state('Yours', 'good', 'check')),
        !each.current && slim('Ask for it', () => ask(each), {data: {ask: each.tier}})),
      each.limits.length === 0 ? h('p.muted.small', 'No limits of its own.') : h('ul.small', each.limits.map(limit => h('li', name(limit.endpoint), ': ', typeof limit.window === 'number' ? limitText(limit.limit, `${limit.window}s`) : limitText(limit.limit, limit.window)))))));
    },
  });
  const requests = page.panel({
    id: 'my-requests', title: 'What I asked for', every: 30,
    read: signal => get('/dashboard/tier/upgrades', null, signal),
    draw: rows => {
      isWaiting = rows.some(each => each.status === 'PENDING');
      return rows.length === 0 ? h('p.empty', 'You haven’t asked for another tier yet.')
        : h('ol.lines', rows.map(each => h('li', {data: {request: each.id}}, h('div.spread',
          h('span', name(each.currentTier), ' → ', h('b', name(each.requestedTier)), ' ', upgradeState(each.status)),
          each.status === 'PENDING' ? slim('Take it back', () => withdraw(each), {data: {withdraw: each.id}}) : when(each.decidedAt)),
        h('p.small.muted', 'Asked ', when(each.createdAt), each.reason && [': ', words(each.reason)]),
        each.answer && h('p.small', 'Answer: ', words(each.answer)))));
    },
  });

  async function ask(tier) {
    const reason = field('ask-reason', {label: 'Why', kind: 'textarea', maxlength: 1000, hint: 'It may be empty. An administrator reads it.'});
    const isSent = await formDialog('Ask for another tier', 'ask', {reason}, () => call('POST', '/dashboard/tier/upgrade', {body: {requestedTier: tier.tier, reason: reason.value || undefined}}), {
      action: 'Ask',
      note: [h('p', 'You ask for ', h('b', name(tier.tier)), '. An administrator decides.'),
        isWaiting && notice('warn', 'A request is waiting already.', 'Take it back first: there can be one at a time.')],
    });
    if (isSent) toast('Asked. You find the answer here.');
    requests.refresh();
  }

  async function withdraw(request) {
    await confirmed('Take the request back?', h('p', 'You can ask again at any time.'), 'Take it back', {id: 'withdraw'},
      () => call('POST', `/dashboard/tier/upgrades/${request.id}/withdraw`), 'Taken back.');
    requests.refresh();
  }

  page.ticket(() => [data && `Tier ${data.find(each => each.current)?.tier}`, ...(requests.data ?? []).map(each => `Request ${each.id}: ${each.currentTier} to ${each.requestedTier}, ${each.status}`)]);
  add(page.root, [page.head('My tier', {isUser: true, sub: 'Other tiers have other limits. An upgrade never lowers one.'}), requests.element, tiers.element]);
}
