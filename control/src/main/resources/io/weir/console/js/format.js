// Writes numbers and times as people read them. Pure functions, but for the time zone.
import {h} from './dom.js';

const whole = new Intl.NumberFormat('en', {maximumFractionDigits: 0});
const fine = [0, 1, 2].map(digits => new Intl.NumberFormat('en', {minimumFractionDigits: digits, maximumFractionDigits: digits}));

/** 12345 → 12,345. */
export function count(number) {
  return number == null ? '–' : whole.format(number);
}

/** A rate per second: 0, 0.25, 12.5, 1,234. */
export function rate(number) {
  if (number == null) return '–';
  if (number === 0) return '0';
  if (number < 0.005) return '< 0.01';
  return fine[number < 10 ? 2 : number < 100 ? 1 : 0].format(number);
}

export function percent(part, all) {
  if (!all) return '0 %';
  const share = 100 * part / all;
  return share > 0 && share < 0.1 ? '< 0.1 %' : `${fine[share < 10 && share > 0 ? 1 : 0].format(share)} %`;
}

/** 1 caller, 2 callers. */
export function plural(number, one, many = `${one}s`) {
  return `${count(number)} ${number === 1 ? one : many}`;
}

const LENGTHS = [['day', 86400], ['hour', 3600], ['minute', 60], ['second', 1]];

/** The length of a window in seconds: minute, 10 minutes, 2 hours. */
export function length(seconds) {
  if (seconds < 1) return `${Math.round(seconds * 1000)} ms`;
  const [unit, size] = LENGTHS.find(each => seconds % each[1] === 0) ?? LENGTHS[3];
  const number = seconds / size;
  return number === 1 ? unit : `${count(number)} ${unit}s`;
}

/** A duration at a glance: 45 s, 3 min, 2 h 5 min, 3 d. */
export function span(seconds) {
  const s = Math.max(0, Math.round(seconds));
  if (s < 120) return `${s} s`;
  if (s < 7200) return `${Math.round(s / 60)} min`;
  if (s < 172800) return `${Math.floor(s / 3600)} h${s % 3600 >= 60 ? ` ${Math.floor(s % 3600 / 60)} min` : ''}`;
  return `${Math.floor(s / 86400)} days`;
}

/** Reads a window as the API writes it (60s, PT1M, 1 MONTH, QUOTA) and returns its seconds, or null. */
export function windowSeconds(text) {
  let match = /^(\d+(?:\.\d+)?)s$/i.exec(text);
  if (match) return Number(match[1]);
  match = /^(?:P(?:(\d+)D)?)(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d+)?)S)?)?$/.exec(text);
  if (match) return (Number(match[1] ?? 0) * 24 * 60 + Number(match[2] ?? 0) * 60 + Number(match[3] ?? 0)) * 60 + Number(match[4] ?? 0);
  return null;
}

/** A window as words: minute, calendar month, billing period. */
export function windowText(text) {
  const seconds = windowSeconds(String(text));
  if (seconds) return length(seconds);
  if (text === 'QUOTA') return 'billing period';
  const match = /^(?:P)?(\d+) ?(D|W|M|Y|DAY|WEEK|MONTH|YEAR)S?$/i.exec(String(text));
  if (!match) return String(text).toLowerCase();
  const unit = {D: 'day', W: 'week', M: 'month', Y: 'year'}[match[2][0].toUpperCase()];
  return match[1] === '1' ? `calendar ${unit}` : `${match[1]} calendar ${unit}s`;
}

/** 100 per minute. */
export function limitText(limit, window) {
  return `${count(limit)} per ${windowText(window)}`;
}

export function ruleWindow(rule) {
  return rule.period ?? `${rule.windowSeconds}s`;
}

const local = options => new Intl.DateTimeFormat('en-GB', {hourCycle: 'h23', ...options});
const CLOCK = {hour: '2-digit', minute: '2-digit', second: '2-digit'};
const DAY = {day: 'numeric', month: 'short'};
const formats = {
  clock: local(CLOCK),
  clockUtc: local({...CLOCK, timeZone: 'UTC'}),
  day: local({...DAY, hour: '2-digit', minute: '2-digit'}),
  dayUtc: local({...DAY, hour: '2-digit', minute: '2-digit', timeZone: 'UTC'}),
  full: local({...DAY, year: 'numeric', ...CLOCK}),
  date: local({weekday: 'short', ...DAY, year: 'numeric'}),
};

function isUtc(date) {
  return date.getTimezoneOffset() === 0;
}

/** A time as text: local, with UTC in brackets. */
export function timeText(instant) {
  const date = new Date(instant);
  const utc = date.toISOString().replace('T', ' ').slice(0, 19);
  return isUtc(date) ? `${utc} UTC` : `${formats.full.format(date)} (${utc} UTC)`;
}

/** Shows a time: local, with UTC beside. A time of today needs no day. */
export function when(instant, {utc = true} = {}) {
  if (!instant) return h('span.muted', '–');
  const date = new Date(instant);
  const isToday = date.toDateString() === new Date().toDateString();
  const here = (isToday ? formats.clock : formats.day).format(date);
  const there = (isToday ? formats.clockUtc : formats.dayUtc).format(date);
  return h('time', {datetime: date.toISOString(), title: timeText(instant)},
    here, (utc || isUtc(date)) && h('span.utc', isUtc(date) ? ' UTC' : ` ${there} UTC`));
}

/** A time without its zone: the clock, and the day if it isn't today. */
export function moment(instant) {
  const date = new Date(instant);
  return (date.toDateString() === new Date().toDateString() ? formats.clock : formats.day).format(date);
}

/** The clock of a time of today: 15:04:05. */
export function clock(instant) {
  return formats.clock.format(new Date(instant));
}

/** The day in UTC in which a second since 1970 lies. */
export function dayOf(seconds) {
  return formats.date.format(new Date(`${new Date(seconds * 1000).toISOString().slice(0, 10)}T12:00:00`));
}

/** The hour that begins with a second since 1970. */
export function hourText(seconds) {
  return new Date(seconds * 1000).toLocaleString('en-GB', {weekday: 'short', hour: '2-digit', minute: '2-digit'});
}

/** The zone of the times that people type, as in Local time, Europe/Berlin. */
export const zone = `Local time, ${Intl.DateTimeFormat().resolvedOptions().timeZone}`;

/** An instant for an input of the type datetime-local; empty if there is none. */
export function toInput(instant) {
  if (!instant) return '';
  const date = new Date(instant);
  const two = number => String(number).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}T${two(date.getHours())}:${two(date.getMinutes())}`;
}

/** The instant of such an input; empty if it is. */
export function fromInput(text) {
  return text && new Date(text).toISOString();
}

/** The beginning of the hour that lies so many hours before now. */
export function hoursAgo(hours, now = Date.now()) {
  return new Date(Math.floor((now - hours * 3600e3) / 3600e3) * 3600e3);
}
