// Access list: callers that are denied or banned, and callers that no limit refuses.
import {all as readAll, call} from '../api.js';
import {add, button, h, link, name, slim, state, sub, toast, words} from '../dom.js';
import {timeText, when, zone} from '../format.js';
import {check, field, formDialog} from '../form.js';
import {confirmed} from '../page.js';
import {filters, table} from '../table.js';
import {addressOf, dated, policy} from '../parts.js';

export function show(page) {
  let all = [];
  let asked;
  const isBan = row => row.action === 'BAN';
  const isOver = row => Date.parse(row.validUntil) <= Date.now();
  const list = table({
    id: 'access', isCards: true, caption: 'Entries of the access list', key: 'id', empty: 'No entry fits.', sort: ['Added', true],
    columns: [
      {title: 'Whom', value: 'subject', cell: row => [subject(row.subject), sub(words(row.reason))]},
      {title: 'What', value: 'action', cell: row => [action(row), row.state === 'SHADOW' && [' ', state('Shadow', 'shade', 'eye')], row.policy && sub('by ', policy(row.policy))]},
      {title: 'Ends', value: 'validUntil', sign: row => row.validUntil + isOver(row), cell: row => [isOver(row) && 'ended ', when(row.validUntil)]},
      dated('Added', 'createdAt'),
      {title: '', cell: row => h('span.row', page.canChange && [!isBan(row) && slim('Change', () => edit(row), {data: {change: row.id}}), slim('Lift', () => lift(row), {data: {lift: row.id}})],
        !isBan(row) && link(`#/changes?table=access_list&rowKey=${row.id}`, 'History'))},
    ],
  });
  const search = filters([
    {name: 'text', label: 'Search', placeholder: 'address, user, reason'},
    {name: 'action', label: 'What', choices: [['', 'any'], ['DENY', 'denied'], ['ALLOW', 'allowed'], ['BAN', 'banned']]},
  ], ({action: wanted}) => {
    list.reset();
    if (wanted === asked) draw(); else panel.refresh();
  });

  function fitting() {
    return all.filter(each => search.finds(`${each.subject} ${each.reason} ${each.updatedBy}`));
  }

  function draw() {
    const rows = fitting();
    search.sayFound(rows, all, 'entry', 'entries');
    list.update(rows);
  }

  const panel = page.panel({
    id: 'access-list', title: 'Entries', events: ['access_list', 'bans'],
    read: signal => {
      asked = search.values().action;
      return readAll('access', {action: asked || undefined}, signal);
    },
    content: [search.element, list.element],
    draw: ({items}) => {
      all = items;
      draw();
    },
  });

  async function edit(row, whom) {
    const fields = {
      subject: field('entry-subject', {label: 'Whom', value: row?.subject ?? whom, maxlength: 1010, hint: '203.0.113.0/24, user:alice, key:sha256:… or resolver:NAME:VALUE.'}),
      ...!row && {apiKey: field('entry-apiKey', {label: 'Or a key itself', type: 'password', hint: 'Only its digest is kept.'})},
      action: field('entry-action', {label: 'What', value: row?.action, choices: [['DENY', 'deny: answer with 403'], ['ALLOW', 'allow: no limit refuses']]}),
      reason: field('entry-reason', {label: 'Reason', value: row?.reason, maxlength: 500, hint: 'Callers never see it.'}),
      validUntil: field('entry-validUntil', {label: 'Until', kind: 'time', value: row?.validUntil, hint: `${zone}. Empty: for good.`}),
      state: field('entry-state', {label: 'State', value: row?.state, choices: [['ENFORCED', 'in force'], ['SHADOW', 'shadow: only measures']]}),
      counted: check('entry-counted', 'Count the requests that it lets through'),
    };
    fields.counted.value = row?.counted ?? false;
    const body = () => Object.fromEntries(Object.entries(fields).map(([key, {value}]) => [key, value || undefined]));
    const isSaved = await formDialog(row ? 'Change this entry' : 'Add an entry', 'entry', fields, () => call(row ? 'PUT' : 'POST', row ? `access/${row.id}` : 'access', {ifMatch: row?.version, body: body()}));
    if (isSaved) toast('Saved. Nodes follow within three seconds.');
    panel.refresh();
  }

  async function lift(row) {
    await confirmed('Lift this entry?', h('p', name(row.subject), row.action === 'ALLOW' ? ' is limited like all others.' : ' is let in again, as far as limits do.', isBan(row) ? ' Its strikes begin anew.' : ' Its history stays, and restores it.'), 'Lift it', {id: 'lift-entry'},
      () => call('DELETE', `access/${row.id}`, {ifMatch: row.version}), 'Lifted. Nodes follow within three seconds.');
    panel.refresh();
  }

  page.ticket(() => fitting().slice(0, 20).map(each => `${each.action} ${each.subject}${each.validUntil ? ` until ${timeText(each.validUntil)}` : ''}, ${each.state}: ${each.reason}`));
  add(page.root, [
    page.head('Access list', {sub: 'Who is shut out or banned, and whom no limit refuses. Entries of settings and files aren’t here; the page of a caller names them.',
      actions: page.canChange ? [button('New entry', () => edit(), {kind: 'primary', image: 'plus', id: 'new-entry'})] : []}),
    panel.element,
  ]);
  const whom = page.query.get('subject');
  if (whom && page.canChange) edit(null, whom);
}

/** The callers of an entry, as a link where it is about one. */
function subject(text) {
  const key = text.replace(/^policy:[^:]*:/, '');
  const [kind, ...id] = key.split(':');
  const isOne = !/[,/]/.test(key) && ['ip', 'user', 'key'].includes(kind);
  return isOne ? link(addressOf.caller(kind === 'ip' ? key : id.join(':')), name(text)) : name(text);
}

function action({action: what, counted}) {
  return what === 'DENY' ? state('Denied', 'bad', 'cross') : what === 'BAN' ? state('Banned', 'bad', 'clock') : state(counted ? 'Allowed, counted' : 'Allowed', 'good', 'check');
}
