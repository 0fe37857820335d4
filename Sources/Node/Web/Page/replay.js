// Plays a person's joints in a dialog: those of a recorded clip, or those kept of a set.
import { get } from './api.js';
import { el, labelName, put, say } from './common.js';
import { drawPose } from './skeleton.js';

// A clip's joints are those of the live page, in the same order.
const pose = ({ width, height }, joints) => ({ width, height, people: joints ? [{ prominent: true, joints }] : [] });

export class Replay {
  constructor() {
    this.title = el('h2', { id: 'replay-title' });
    this.stage = el('canvas', { role: 'img', 'aria-label': say('skeletons') });
    this.pause = el('button', { type: 'button', onclick: () => this.press() }, say('replay_pause'));
    this.dialog = el('dialog', { id: 'replay', className: 'wide', 'aria-labelledby': this.title.id }, this.title,
      el('div', { className: 'stage' }, this.stage), el('form', { method: 'dialog', className: 'controls' },
        this.pause, el('button', { autofocus: true }, say('close'))));
    this.dialog.addEventListener('close', () => (this.clip = null));
    document.body.append(this.dialog);
  }

  show({ id, label, person }) { return this.play(`${labelName(label)} · ${person}`, `clips/${id}/poses`); }

  async play(title, path) {
    put(this.title, title);
    drawPose(this.stage, null);
    this.dialog.showModal();
    try {
      const clip = await get(path, {}, 60);
      if (!this.dialog.open) return;
      this.stage.style.aspectRatio = `${clip.width} / ${clip.height}`;
      Object.assign(this, { clip, at: 0, playing: true, last: performance.now() });
      this.draw();
    } catch (failure) {
      put(this.title, failure.message);
    }
  }

  press() {
    if (!this.clip) return;
    if (this.at >= this.clip.frames.length) this.at = 0;
    Object.assign(this, { playing: !this.playing, last: performance.now() });
    if (this.playing) this.draw();
    else put(this.pause, say('replay_play'));
  }

  draw() {
    if (!this.clip || !this.playing) return;
    const now = performance.now();
    this.at += (now - this.last) / 1000 * this.clip.rate;
    this.last = now;
    const { frames } = this.clip;
    drawPose(this.stage, pose(this.clip, frames[Math.min(Math.floor(this.at), frames.length - 1)]));
    this.playing = this.at < frames.length;
    put(this.pause, say(this.playing ? 'replay_pause' : 'replay_again'));
    requestAnimationFrame(() => this.draw());
  }
}
