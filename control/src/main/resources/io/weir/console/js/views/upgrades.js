// Upgrade requests: users who ask for another tier.
import {call, get} from '../api.js';
import {add, button, fill, h, name, notice, slim, state, sub, toast, words} from '../dom.js';
import {plural, when} from '../format.js';
import {field, formDialog} from '../form.js';
import {filters, table} from '../table.js';
import {caller} from '../parts.js';

export function upgradeState(status) {
  return {PENDING: state('Waiting', 'warn', 'clock'), APPROVED: state('Approved', 'good', 'check'), DECLINED: state('Declined', 'bad', 'cross'), WITHDRAWN: state('Withdrawn', '', 'back')}[status] ?? status;
}

export function show(page) {
  const list = table({
    id: 'upgrades', isCards: true, caption: 'Upgrade requests', key: 'id', empty: 'There is no such request.',
    columns: [
      {title: 'User', value: 'userId', cell: row => caller(row.userId)},
      {title: 'From → to', value: 'requestedTier', cell: row => h('span', name(row.currentTier), ' → ', h('b', name(row.requestedTier)))},
      {title: 'Reason', low: true, cell: row => words(row.reason)},
      {title: 'Asked', low: true, value: row => row.createdAt ?? '', cell: row => when(row.createdAt)},
      {title: 'State', value: 'status', cell: row => [upgradeState(row.status), row.answer && h('span.sub', {dir: 'auto'}, row.answer), row.decidedAt && sub(when(row.decidedAt, {utc: false}))]},
      page.canChange && {title: '', cell: row => row.status === 'PENDING' && slim('Decide', () => decide(row), {data: {decide: row.id}})},
    ],
  });
  const which = filters([{name: 'status', label: 'Show', value: 'PENDING', choices: [['PENDING', 'waiting'], ['ALL', 'all'], ['APPROVED', 'approved'], ['DECLINED', 'declined'], ['WITHDRAWN', 'withdrawn']]}], () => panel.refresh());
  const panel = page.panel({
    id: 'upgrade-list', title: 'Requests', every: 60, events: ['tier_upgrade_requests'],
    read: signal => get('upgrades', {status: which.values().status === 'ALL' ? undefined : which.values().status, limit: 500}, signal),
    content: [which.element, list.element],
    draw: ({items, next}) => {
      which.say(`${plural(items.length, 'request')}${next ? ' or more' : ''}`);
      list.update(items);
    },
  });

  async function decide(row) {
    const lowered = h('div.stack#lowered', h('p.muted', 'Reading which limits it would lower …'));
    const answer = field('upgrade-answer', {label: 'A word for the user', kind: 'textarea', maxlength: 1000, value: '', hint: 'The user reads it. It may be empty.'});
    let decided = null;
    const act = what => async () => {
      await call('POST', `upgrades/${row.id}/${what}`, {body: {answer: answer.value || undefined}});
      decided = what;
    };
    get(`upgrades/${row.id}`, null, page.signal).then(details => {
      fill(lowered, details.lowered.length === 0 ? notice('good', 'No limit would be lower.')
        : notice('bad', 'It can’t be approved, since it would lower limits:', h('ul', details.lowered.map(each => h('li', {dir: 'auto'}, each)))));
      document.getElementById('decide-save').disabled = details.lowered.length > 0;
    }).catch(problem => { if (!page.signal.aborted) fill(lowered, notice('warn', 'Not known which limits it would lower.', problem.message)); });
    await formDialog('An upgrade request', 'decide', {answer}, act('approve'), {
      action: 'Approve', more: attempt => [button('Decline', attempt(act('decline')), {kind: 'danger', id: 'decline'})],
      note: [h('p', name(row.userId), ' asks for ', h('b', name(row.requestedTier)), ' instead of ', name(row.currentTier), row.reason && [': ', words(row.reason)], '.'), lowered],
    });
    if (decided) toast(decided === 'approve' ? 'Approved. The new tier holds within three seconds.' : 'Declined.');
    panel.refresh();
  }

  page.ticket(() => (panel.data?.items ?? []).slice(0, 20).map(each => `Request ${each.id}: ${each.userId} from ${each.currentTier} to ${each.requestedTier}, ${each.status}`));
  add(page.root, [page.head('Upgrade requests', {sub: 'Users who ask for another tier. An approval never lowers a limit.'}), panel.element]);
}
