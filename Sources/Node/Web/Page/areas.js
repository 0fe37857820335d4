// Zones and masks: drawn over the skeletons, and edited with mouse, finger or keyboard.
import { get, post } from './api.js';
import { announce, banner, colour, el, expectRestart, many, put, say } from './common.js';
import { pictureBox } from './skeleton.js';
import { zoneName } from './text.js';

const most = 16;
const corner = { step: 0.01, far: 0.05, least: 3, most: 32 };
// A name as the node wants it: "Rack 1" becomes rack-1.
const idOf = (text) => text.normalize('NFKD').replace(/[\u0300-\u036f]/g, '').replaceAll('ß', 'ss').toLowerCase()
  .replace(/[^a-z0-9_]+/g, '-').replace(/^[-_]+|-+$/g, '').slice(0, 63);
const inside = (share) => Math.round(1000 * Math.min(1, Math.max(0, share))) / 1000;
const tone = (area, onBlack) => (area.kind === 'mask' ? '#8d97a3' : colour(area.name, onBlack));
const nameOf = (area) => (area.kind === 'mask' ? say(area.mirror ? 'mirror' : 'mask') : zoneName(area.name));
const centre = (corners) => [0, 1].map((axis) => corners.reduce((sum, one) => sum + one[axis], 0) / corners.length);

export async function loadAreas(camera) {
  const { zones, masks, revision } = await get(`cameras/${encodeURIComponent(camera)}/areas`);
  const areas = [...zones.map((zone) => ({ kind: 'zone', ...zone })), ...masks.map((mask) => ({ kind: 'mask', ...mask }))];
  return { areas, revision };
}

// Draws over what the canvas shows of a picture of this size; masks are filled, zones are outlined and named.
export function drawAreas(canvas, areas, size, chosen) {
  const context = canvas.getContext('2d');
  const [left, top, width, height] = pictureBox(canvas, size);
  for (const area of areas) {
    const points = area.corners.map(([x, y]) => [left + x * width, top + y * height]);
    context.beginPath();
    points.forEach((point, n) => (n ? context.lineTo(...point) : context.moveTo(...point)));
    context.closePath();
    const strong = area === chosen;
    context.globalAlpha = area.kind === 'mask' ? 0.55 : strong ? 0.22 : 0.08;
    context.fillStyle = tone(area, true);
    context.fill();
    context.globalAlpha = strong ? 1 : 0.7;
    Object.assign(context, { strokeStyle: tone(area, true), lineWidth: strong ? 3 : 2 });
    context.setLineDash(area.kind === 'mask' ? [6, 4] : []);
    context.stroke();
    const high = Math.max(12, height / 32);
    context.font = `600 ${high}px system-ui, sans-serif`;
    const wide = context.measureText(nameOf(area)).width;
    const x = Math.min(Math.max(centre(points)[0] - wide / 2, left + 6), left + width - wide - 6);
    const y = Math.max(Math.min(...points.map((point) => point[1])) - 0.5 * high, top + 1.2 * high);
    context.fillStyle = '#000b';
    context.fillRect(x - 5, y - high, wide + 10, 1.35 * high);
    context.fillStyle = '#fff';
    context.fillText(nameOf(area), x, y);
  }
  context.globalAlpha = 1;
  context.setLineDash([]);
}

// The list of areas with its buttons, and the handles over the canvas.
export class AreaEditor {
  areas = [];
  chosen = null;
  changed = false;

  constructor({ list, tools, handles, status, redraw }) {
    Object.assign(this, { list, tools, handles, status, redraw });
    const button = (key, act) => el('button', { type: 'button', onclick: act }, say(key));
    this.save = button('save_areas', () => this.keep());
    this.undo = button('discard', () => this.load(this.camera));
    this.save.className = 'primary';
    this.warning = el('p', { className: 'advice-line' });
    tools.append(button('add_zone', () => this.add('zone')), button('add_mask', () => this.add('mask')), this.save,
      this.undo, this.warning);
    addEventListener('beforeunload', (event) => this.changed && event.preventDefault());
  }

  async load(camera) {
    this.camera = camera;
    try {
      const { areas, revision } = await loadAreas(camera);
      if (camera !== this.camera) return;
      Object.assign(this, { areas, revision, chosen: null, changed: false });
      this.render();
    } catch (failure) {
      banner(failure.message);
    }
  }

  add(kind) {
    if (this.areas.filter((area) => area.kind === kind).length >= most) return put(this.status, say('areas_full'));
    let n = 1;
    while (this.areas.some((area) => area.name === say('zone_name', { n }))) n += 1;
    const corners = [[0.35, 0.35], [0.65, 0.35], [0.65, 0.85], [0.35, 0.85]];
    this.areas.push({ kind, name: kind === 'zone' ? say('zone_name', { n }) : undefined, corners });
    this.touch(this.areas.at(-1));
    this.handles.firstChild?.focus();
  }

  remove(area) {
    this.areas = this.areas.filter((other) => other !== area);
    this.touch(null);
    this.tools.firstChild.focus();
  }

  // A corner in the middle of the longest side.
  split(area) {
    if (area.corners.length >= corner.most) return;
    const next = (n) => area.corners[(n + 1) % area.corners.length];
    const length = (n) => Math.hypot(...[0, 1].map((axis) => next(n)[axis] - area.corners[n][axis]));
    const longest = area.corners.map((_, n) => n).reduce((best, n) => (length(n) > length(best) ? n : best), 0);
    area.corners.splice(longest + 1, 0, centre([area.corners[longest], next(longest)]).map(inside));
    this.touch(area);
  }

  touch(area) {
    Object.assign(this, { chosen: area, changed: true });
    this.render();
    this.warn();
  }

  // Saving starts the node again, which ends the sessions of all cameras.
  async warn() {
    if (this.warned > Date.now() - 5000) return;
    this.warned = Date.now();
    const { open_sessions: open } = await get('state').catch(() => ({}));
    put(this.warning, this.changed && open ? many('saving_ends', open) : '');
  }

  // What changes without a new list or new handles.
  alter() {
    this.changed = true;
    this.warn();
    this.save.disabled = this.undo.disabled = false;
    put(this.status, say('not_saved'));
    this.redraw();
  }

  async keep() {
    const part = (kind) => this.areas.filter((area) => area.kind === kind);
    const body = { zones: part('zone').map(({ name, corners }) => ({ name, corners })),
      masks: part('mask').map(({ corners, mirror }) => (mirror ? { corners, mirror } : { corners })), revision: this.revision };
    this.save.disabled = true;
    put(this.status, say('saving'));
    try {
      const { restarting, revision } = await post(`cameras/${encodeURIComponent(this.camera)}/areas`, body);
      Object.assign(this, { revision, chosen: null, changed: false });
      this.render();
      if (restarting) expectRestart();
      put(this.status, say(restarting ? 'areas_saved' : 'areas_same'));
    } catch (failure) {
      put(this.status, failure.message);
    }
    this.save.disabled = !this.changed;
    announce(this.status.textContent);
  }

  render() {
    put(this.status, this.changed ? say('not_saved') : this.areas.length ? '' : say('no_areas'));
    this.save.disabled = this.undo.disabled = !this.changed;
    if (!this.changed) put(this.warning, '');
    const controls = (row) => [...row?.querySelectorAll('button, input, select') ?? []];
    const at = [...this.list.children].findIndex((row) => row.contains(document.activeElement));
    const focused = controls(this.list.children[at]).indexOf(document.activeElement);
    this.list.replaceChildren(...this.areas.map((area) => this.row(area)));
    controls(this.list.children[at])[focused]?.focus();
    this.renderHandles();
    this.redraw();
  }

  row(area) {
    const swatch = el('i', { className: 'swatch' });
    swatch.style.background = tone(area);
    if (this.tools.hidden) return el('li', { className: 'label' }, swatch, nameOf(area));
    const button = (key, act) =>
      el('button', { type: 'button', onclick: act, ariaLabel: say(key) + ': ' + nameOf(area) }, say(key));
    const name = area.kind === 'mask' ? this.kindOfMask(area)
      : el('input', { type: 'text', value: area.name, maxLength: 63, ariaLabel: say('zone_called'),
        spellcheck: false });
    // The row stays, so that the next key goes on from it.
    name.oninput = () => this.alter();
    name.onchange = () => {
      area.name = name.value = idOf(name.value) || name.value.trim();
      swatch.style.background = tone(area);
      this.alter();
    };
    const chosen = area === this.chosen;
    const choose = button(chosen ? 'edit_done' : 'edit', () => [this.chosen = chosen ? null : area, this.render()]);
    choose.ariaPressed = String(chosen);
    return el('li', {}, el('span', { className: 'label' }, swatch, name), choose,
      chosen && button('more_corners', () => this.split(area)), button('remove', () => this.remove(area)));
  }

  // A mask leaves out everybody, a mirror only those who are wholly in it.
  kindOfMask(area) {
    const kinds = [['mask', false], ['mirror', true]].map(([key, mirror]) =>
      el('option', { value: key, selected: Boolean(area.mirror) === mirror }, say(key)));
    return el('select', { ariaLabel: say('kind_of_mask'), onchange: (event) => {
      area.mirror = event.target.value === 'mirror';
      this.alter();
    } }, ...kinds);
  }

  // One handle for each corner, and one in the middle that moves them all.
  renderHandles() {
    const area = this.chosen;
    if (!area || this.tools.hidden) return this.handles.replaceChildren();
    const corners = area.corners.map((_, n) => this.handle(area, [n], say('corner_n', { n: n + 1 })));
    this.handles.replaceChildren(...corners, this.handle(area, [...area.corners.keys()], say('move_area')));
    this.place();
  }

  // The handles lie over the picture, which may be narrower than the canvas.
  draw(canvas, size) {
    const [left, top, width, height] = pictureBox(canvas, size);
    Object.assign(this.handles.style, { left: left + 'px', top: top + 'px', width: width + 'px',
      height: height + 'px' });
    drawAreas(canvas, this.areas, size, this.chosen);
  }

  place() {
    [...this.handles.children].forEach((handle, n) => {
      const [x, y] = this.chosen.corners[n] ?? centre(this.chosen.corners);
      Object.assign(handle.style, { left: 100 * x + '%', top: 100 * y + '%' });
    });
  }

  handle(area, moved, words) {
    const handle = el('button', { type: 'button', ariaLabel: `${words}: ${nameOf(area)}`, title: words,
      className: moved.length > 1 ? 'handle middle' : 'handle' });
    const move = (...way) => {
      const steps = way.map((step, axis) => {
        const shares = moved.map((n) => area.corners[n][axis]);
        return Math.min(Math.max(step, -Math.min(...shares)), 1 - Math.max(...shares));
      });
      for (const n of moved) area.corners[n] = area.corners[n].map((share, axis) => inside(share + steps[axis]));
      this.place();
      this.alter();
    };
    let last;
    handle.onpointerdown = (event) => [handle.setPointerCapture(event.pointerId), last = event];
    handle.onpointermove = (event) => {
      if (!handle.hasPointerCapture(event.pointerId)) return;
      const { width, height } = this.handles.getBoundingClientRect();
      move((event.clientX - last.clientX) / width, (event.clientY - last.clientY) / height);
      last = event;
    };
    handle.onkeydown = (event) => {
      const step = event.shiftKey ? corner.far : corner.step;
      const ways = { ArrowLeft: [-step, 0], ArrowRight: [step, 0], ArrowUp: [0, -step], ArrowDown: [0, step] };
      if (ways[event.key]) [event.preventDefault(), move(...ways[event.key])];
      if (event.key !== 'Delete' || moved.length > 1 || area.corners.length <= corner.least) return;
      area.corners.splice(moved[0], 1);
      this.touch(area);
      this.handles.firstChild.focus();
    };
    return handle;
  }
}
