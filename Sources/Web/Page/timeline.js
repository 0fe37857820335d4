// A strip of classified windows: coloured by label, as high as the confidence; explored by pointer or arrow keys.
import { fit } from './skeleton.js';

const mostLanes = 4;

export class Timeline {
  // `colour(label)` gives a colour, `describe(item)` the words for the line below and for screen readers.
  constructor(canvas, line, name, { colour, describe, hint }) {
    Object.assign(this, { canvas, line, colour, describe, hint, items: [], from: 0, to: 1, selected: null });
    canvas.tabIndex = 0;
    canvas.setAttribute('role', 'slider');
    canvas.setAttribute('aria-label', name);
    canvas.setAttribute('aria-valuemin', '0');
    canvas.addEventListener('pointermove', (event) => this.select(this.hit(event)));
    canvas.addEventListener('pointerdown', (event) => this.select(this.hit(event)));
    canvas.addEventListener('pointerleave', () => document.activeElement === canvas || this.select(null));
    canvas.addEventListener('blur', () => this.select(null));
    canvas.addEventListener('keydown', (event) => this.key(event));
    this.select(null);
  }

  set(items, from, to) {
    Object.assign(this, { items, from, to });
    const tracks = [...new Set(items.map((item) => item.track))].slice(-mostLanes);
    this.lanes = tracks.map((track) => items.filter((item) => item.track === track && item.end > from));
    if (this.selected && this.selected.end <= from) this.select(null);
    this.draw();
  }

  shown() { return this.lanes.flat().sort((a, b) => a.end - b.end || a.track - b.track); }

  draw() {
    const context = fit(this.canvas);
    const [width, height] = [this.canvas.clientWidth, this.canvas.clientHeight];
    const high = height / Math.max(1, this.lanes.length);
    const x = (time) => ((time - this.from) / (this.to - this.from)) * width;
    this.lanes.forEach((lane, index) => {
      let before = this.from;
      for (const item of lane) {
        // Windows overlap: each fills the time since the one before it.
        const [left, right] = [x(Math.max(item.start, before)), x(item.end)];
        before = Math.max(before, item.end);
        const bar = Math.max(2, item.confidence * (high - 3));
        context.globalAlpha = this.selected && item !== this.selected ? 0.45 : 1;
        context.fillStyle = this.colour(item.label);
        context.fillRect(left, high * (index + 1) - bar, Math.max(1, right - left - (right - left > 8 ? 1 : 0)), bar);
        item.box = { left, right, lane: index };
      }
    });
    context.globalAlpha = 1;
    const box = this.selected?.box;
    if (box) {
      context.fillStyle = getComputedStyle(this.canvas).color;
      context.fillRect((box.left + box.right) / 2 - 1, high * box.lane, 2, high);
    }
  }

  hit(event) {
    const place = this.canvas.getBoundingClientRect();
    const [x, y] = [event.clientX - place.left, event.clientY - place.top];
    const lane = this.lanes?.[Math.floor((y / place.height) * this.lanes.length)] ?? [];
    const far = ({ box }) => (box ? Math.max(box.left - x, x - box.right, 0) : Infinity);
    const nearest = lane.reduce((best, item) => (best && far(best) <= far(item) ? best : item), null);
    return nearest && far(nearest) < 12 ? nearest : null;
  }

  key(event) {
    const list = this.shown();
    const index = list.indexOf(this.selected);
    const last = list.length - 1;
    const moves = { ArrowLeft: index < 0 ? last : Math.max(0, index - 1), ArrowRight: Math.min(last, index + 1),
      Home: 0, End: last, Escape: -1 };
    if (!(event.key in moves)) return;
    event.preventDefault();
    this.select(list[moves[event.key]] ?? null);
  }

  select(item) {
    this.selected = item;
    const words = item ? this.describe(item) : this.hint;
    if (this.line.textContent !== words) this.line.textContent = words;
    const list = item ? this.shown() : [];
    this.canvas.setAttribute('aria-valuemax', Math.max(0, list.length - 1));
    this.canvas.setAttribute('aria-valuenow', Math.max(0, list.indexOf(item)));
    this.canvas.setAttribute('aria-valuetext', words);
    if (this.lanes) this.draw();
  }
}
