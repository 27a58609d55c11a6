// Charts by uPlot, which is loaded with the first one. Each has a legend, and its figures as a table.
import {fill, h, svg} from './dom.js';
import {figures} from './table.js';
import {rate} from './format.js';

/** The least that a chart of lines shows, in seconds, and the distances of marks on its axis. */
const MIN_SPAN = 120;
const INCREMENTS = [15, 30, 60, 120, 300, 900, 3600, 7200, 10800, 21600, 43200, 86400, 172800, 604800, 1209600, 2592000, 7776000];

let library = null;

function load() {
  library ??= new Promise((loaded, failed) => {
    document.head.append(h('script', {src: 'vendor/uplot/uPlot.iife.min.js', on: {load: () => loaded(window.uPlot), error: failed}}));
  });
  return library;
}

/** The lines of outcomes: told apart by colour and by dashes. */
export const LINES = {
  admitted: {label: 'Admitted', dash: []},
  refused: {label: 'Refused', dash: [], width: 2.2},
  soft: {label: 'Soft', dash: [7, 3]},
  shadowRefused: {label: 'Shadow-refused', dash: [2, 3]},
  degraded: {label: 'Degraded', dash: [10, 3, 2, 3]},
};

/** A piece of a line as a picture, for legends. */
export function swatch(line) {
  return svg('svg', {class: `swatch c-${line}`, viewBox: '0 0 20 10', 'aria-hidden': 'true'},
    svg('line', {x1: 0, y1: 5, x2: 20, y2: 5, 'stroke-dasharray': LINES[line].dash.join(' ') || 'none'}));
}

/** A small line without axes: figures by figures, without words. */
export function spark(points, line) {
  const max = Math.max(...points, 0.01);
  const step = points.length > 1 ? 100 / (points.length - 1) : 0;
  const path = points.map((point, i) => `${(i * step).toFixed(1)},${(19 - 18 * point / max).toFixed(1)}`).join(' ');
  return svg('svg', {class: `spark c-${line}`, viewBox: '0 0 100 20', preserveAspectRatio: 'none', 'aria-hidden': 'true'}, svg('polyline', {points: path}));
}

/**
 * Makes a chart over time.
 *
 * options: {id, title, lines: [of LINES], labels: {line: label}, bars: true, isStacked: true (else the first line includes the others), days: true (bars are days in UTC), height, format: number → text,
 * time: seconds → text, marks: [seconds], signal}
 * Returns {element, set([[seconds], [values of a line], …])}.
 */
export function chart(options) {
  const {id, title, lines, height = 200, format = rate, bars = false, isStacked = false, days = false, marks = [], signal} = options;
  const label = line => options.labels?.[line] ?? LINES[line].label;
  const time = options.time ?? (seconds => new Date(seconds * 1000).toLocaleTimeString('en-GB'));
  const plot = h('div.plot', {role: 'img', 'aria-label': title});
  const probe = h('span.probe', {'aria-hidden': 'true'});
  const values = lines.map(() => h('b', '–'));
  const at = h('li.at');
  const legend = h('ul.legend', lines.map((line, i) => h('li', swatch(line), label(line), ' ', values[i])), at);
  const inside = h('div');
  const details = h('details', h('summary', 'Show as a table'), inside);
  const element = h('figure.chart', {id}, legend, plot, probe, details);
  let data = [[], ...lines.map(() => [])];
  let drawn = null;
  let isGone = false;

  function colour(variable) {
    probe.className = `probe ${variable}`;
    return getComputedStyle(probe).color;
  }

  /** Leaves place for the halves of the first and the last bar. */
  function barRange() {
    const [times] = data;
    const step = days ? 86400 : 3600;
    return times.length === 0 ? [0, step] : [Math.min(times[0] - step / 2, times.at(-1) - 5 * step), times.at(-1) + step / 2];
  }

  function mark(date, step) {
    const day = () => date.toLocaleDateString('en-GB', {day: 'numeric', month: 'short', timeZone: days ? 'UTC' : undefined});
    const clock = date.toLocaleTimeString('en-GB');
    return step >= 86400 || clock === '00:00:00' ? day() : step >= 60 ? clock.slice(0, 5) : clock;
  }

  function options_(UPlot) {
    const muted = colour('muted');
    const line = colour('c-line');
    const font = `12px ${getComputedStyle(document.body).fontFamily}`;
    const axis = {stroke: muted, font, grid: {stroke: line, width: 1}, ticks: {show: false}};
    return {
      width: Math.max(plot.clientWidth, 120),
      height,
      padding: [8, 16, 0, 0],
      legend: {show: false},
      tzDate: seconds => days ? UPlot.tzDate(new Date(seconds * 1000), 'Etc/UTC') : new Date(seconds * 1000),
      cursor: {y: false, points: {show: !bars}, drag: {setScale: false, x: false, y: false}},
      scales: {x: {time: true, range: (u, low, high) => bars ? barRange() : [Math.min(low, high - MIN_SPAN), high]}, y: {range: (u, low, high) => [0, Math.max(high * 1.1, bars ? 1 : 0.5)]}},
      axes: [
        {...axis, grid: {show: false}, size: 28, space: 70, incrs: days ? INCREMENTS.filter(each => each >= 86400) : INCREMENTS,
          values: (u, splits, i, space, step) => splits.map(each => mark(new Date(each * 1000), step))},
        {...axis, size: 54, values: (u, splits) => splits.map(each => format(each))},
      ],
      series: [{}, ...(isStacked ? [...lines].reverse() : lines).map(each => {
        const stroke = colour(`c-${each}`);
        return {
          stroke, width: LINES[each].width ?? 1.6, dash: LINES[each].dash, points: {show: false},
          ...(bars ? {paths: UPlot.paths.bars({size: [0.7, 40], align: 0}), fill: stroke, width: 0} : {}),
        };
      })],
      hooks: {setCursor: [u => say(u.cursor.idx)], draw: [drawMarks]},
    };
  }

  /** Draws lines at times at which something changed. */
  function drawMarks({ctx, bbox, valToPos}) {
    ctx.save();
    ctx.strokeStyle = colour('muted');
    ctx.setLineDash([3, 3]);
    for (const x of marks.map(each => valToPos(each, 'x', true)).filter(each => each >= bbox.left)) {
      ctx.beginPath();
      ctx.moveTo(x, bbox.top);
      ctx.lineTo(x, bbox.top + bbox.height);
      ctx.stroke();
    }
    ctx.restore();
  }

  function say(index) {
    const i = index ?? data[0].length - 1;
    const isKnown = i >= 0 && i < data[0].length;
    at.textContent = isKnown ? time(data[0][i]) : '';
    values.forEach((value, line) => { value.textContent = isKnown && data[line + 1][i] !== null ? format(data[line + 1][i]) : '–'; });
  }

  function tell() {
    if (!details.open) return;
    const rows = data[0].map((seconds, i) => [time(seconds), ...lines.map((_, line) => data[line + 1][i] === null ? '–' : format(data[line + 1][i]))]);
    fill(inside, figures(title, ['Time', ...lines.map(label)], rows.reverse()));
  }

  /** What uPlot draws, a later line before an earlier one: of stacked bars the sums from below, the tallest at the back. */
  function drawnData() {
    if (!isStacked) return data;
    const sums = [];
    for (const values of data.slice(1)) sums.push(values.map((value, i) => (value ?? 0) + (sums.at(-1)?.[i] ?? 0)));
    return [data[0], ...sums.reverse()];
  }

  async function draw() {
    const UPlot = await load();
    if (isGone || !element.isConnected) return;
    drawn?.destroy();
    drawn = new UPlot(options_(UPlot), drawnData(), plot);
    say(null);
  }

  details.addEventListener('toggle', tell);
  const sizes = new ResizeObserver(() => {
    if (drawn && plot.clientWidth > 0 && Math.abs(drawn.width - plot.clientWidth) > 1) drawn.setSize({width: plot.clientWidth, height});
    else if (!drawn && plot.clientWidth > 0) draw();
  });
  sizes.observe(plot);
  const redraw = () => { if (drawn) draw(); };
  document.addEventListener('theme', redraw, {signal});
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', redraw, {signal});
  signal?.addEventListener('abort', () => {
    isGone = true;
    sizes.disconnect();
    drawn?.destroy();
    drawn = null;
  });

  return {
    element,
    set(next) {
      data = next;
      drawn?.setData(drawnData());
      if (!drawn?.cursor || drawn.cursor.left < 0) say(null);
      tell();
    },
  };
}
