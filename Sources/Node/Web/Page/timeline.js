// A strip of classified windows: coloured by label, as high as the confidence; explored by pointer or arrow keys.
import { colour, many } from './common.js';
import { fit } from './skeleton.js';

const maximumLanes = 4;
const reach = 12;

export class Timeline {
  // `line` shows `describe(item)` of the chosen item, or `hint`; screen readers hear it from the canvas.
  constructor(canvas, line, name, describe, hint) {
    Object.assign(this, { canvas, line, describe, hint, lanes: [], leftOut: 0, selected: null });
    canvas.tabIndex = 0;
    const attributes = { role: 'slider', 'aria-label': name, 'aria-valuemin': 0 };
    for (const [key, value] of Object.entries(attributes)) canvas.setAttribute(key, value);
    for (const kind of ['pointermove', 'pointerdown']) canvas.addEventListener(kind, (event) => this.hit(event));
    canvas.addEventListener('pointerleave', () => document.activeElement === canvas || this.select(null));
    canvas.addEventListener('blur', () => this.select(null));
    canvas.addEventListener('keydown', (event) => this.key(event));
  }

  // One lane for each of the people who came last. Windows overlap: each fills the time since the one before it.
  set(items, from, to) {
    const shown = items.filter((item) => item.end > from);
    const tracks = [...new Set(shown.map((item) => item.track))];
    Object.assign(this, { from, to, leftOut: Math.max(0, tracks.length - maximumLanes) });
    this.lanes = tracks.slice(-maximumLanes).map((track) => shown.filter((item) => item.track === track));
    if (this.selected?.end <= from) this.selected = null;
    this.select(this.selected);
  }

  draw() {
    const context = fit(this.canvas);
    const [width, high] = [this.canvas.clientWidth, this.canvas.clientHeight / Math.max(1, this.lanes.length)];
    const x = (time) => ((time - this.from) / (this.to - this.from)) * width;
    this.lanes.forEach((lane, index) => {
      let before = this.from;
      for (const item of lane) {
        const [left, right] = [x(Math.max(item.start, before)), x(item.end)];
        before = Math.max(before, item.end);
        const bar = Math.max(2, item.confidence * (high - 3));
        context.globalAlpha = this.selected && item !== this.selected ? 0.45 : 1;
        context.fillStyle = colour(item.label);
        context.fillRect(left, high * (index + 1) - bar, Math.max(1, right - left - (right - left > 8 ? 1 : 0)), bar);
        item.box = { left, right, top: high * index };
      }
    });
    context.globalAlpha = 1;
    context.fillStyle = getComputedStyle(this.canvas).color;
    const box = this.selected?.box;
    if (box) context.fillRect((box.left + box.right) / 2 - 1, box.top, 2, high);
  }

  hit(event) {
    const area = this.canvas.getBoundingClientRect();
    const [x, y] = [event.clientX - area.left, event.clientY - area.top];
    const far = ({ box }) => Math.max(box.left - x, x - box.right, 0);
    const lane = this.lanes[Math.floor((y / area.height) * this.lanes.length)] ?? [];
    const nearest = lane.reduce((best, item) => (best && far(best) <= far(item) ? best : item), null);
    this.select(nearest && far(nearest) < reach ? nearest : null);
  }

  key(event) {
    const list = this.list();
    const [index, last] = [list.indexOf(this.selected), list.length - 1];
    const to = { ArrowLeft: index < 0 ? last : Math.max(0, index - 1), ArrowRight: Math.min(last, index + 1),
      Home: 0, End: last, Escape: -1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    this.select(list[to] ?? null);
  }

  list() { return this.lanes.flat().sort((a, b) => a.end - b.end || a.track - b.track); }

  select(item) {
    this.selected = item;
    const words = item ? this.describe(item)
      : this.leftOut ? `${this.hint} ${many('not_in_strip', this.leftOut)}` : this.hint;
    if (this.line.textContent !== words) this.line.textContent = words;
    const list = item ? this.list() : [];
    this.canvas.setAttribute('aria-valuemax', Math.max(0, list.length - 1));
    this.canvas.setAttribute('aria-valuenow', Math.max(0, list.indexOf(item)));
    this.canvas.setAttribute('aria-valuetext', words);
    this.draw();
  }
}
