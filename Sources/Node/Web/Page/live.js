// The event stream: keeps the newest state of every camera, its age, and the connection.
import { showAlarms } from './alarm.js';
import { get } from './api.js';
import { banner, say } from './common.js';

const dimAfter = 2000;
const blankAfter = 10_000;
const keptWindows = 70_000;
const longestSilence = 15_000;

export class Live {
  // `on` may have: state, camera, pose, lost, rep, setEnd.
  constructor(on, camera = '', view = '') {
    Object.assign(this, { on, camera, view, cameras: new Map(), poses: new Map(), windows: new Map(), data: new Map() });
    Object.assign(this, { offset: null, connected: false, wait: dimAfter });
    document.addEventListener('visibilitychange', () => (document.hidden ? this.close() : this.open()));
    addEventListener('pagehide', () => this.close());
    addEventListener('pageshow', () => document.hidden || this.source || this.open());
    // A connection that died without a word shows no error for minutes. Frames bring an event every second.
    setInterval(() => this.source && performance.now() - this.heard > longestSilence && this.open(), 3000);
    if (!document.hidden) this.open();
  }

  // The node's time now, by the browser's monotonic clock.
  now() { return this.offset === null ? null : performance.now() + this.offset; }

  // How old the camera's data is, and what to make of it. The node's `time` is only compared with itself.
  freshness(camera) {
    const known = this.data.get(camera.camera);
    const age = Math.max(performance.now() - (known?.arrival ?? -Infinity), this.connected ? 0 : dimAfter);
    const asleep = ['off', 'ended'].includes(camera.state);
    const old = age >= dimAfter;
    // The clocks of a set and a rest stop with the data.
    const until = old ? Math.min(this.now(), known?.time ?? Infinity) : this.now();
    return { age, asleep, old, blank: asleep || age > blankAfter, until };
  }

  choose(camera) {
    if (camera === this.camera) return;
    this.camera = camera;
    if (this.source) this.open();
  }

  close() {
    clearTimeout(this.again);
    this.source?.close();
    this.source = null;
  }

  open() {
    this.close();
    this.heard = performance.now();
    const asked = Object.entries({ camera: this.camera, view: this.view }).filter(([, value]) => value);
    const source = new EventSource('/api/v1/live?' + new URLSearchParams(asked));
    this.source = source;
    const listen = (name, take) => source.addEventListener(name, (event) => {
      if (source !== this.source) return;
      this.heard = performance.now();
      take(JSON.parse(event.data));
    });
    listen('state', (state) => this.takeState(state));
    listen('camera', (camera) => this.takeCamera(camera));
    listen('pose', (pose) => this.takePose(pose));
    listen('window', (window) => this.takeWindow(window));
    listen('lost', (lost) => this.on.lost?.(lost));
    source.onerror = () => source === this.source && this.failed();
  }

  async failed() {
    this.tell(false);
    if (this.source.readyState !== EventSource.CLOSED) return;
    this.close();
    this.again = setTimeout(() => this.open(), this.wait);
    this.wait = Math.min(this.wait * 2, 15_000);
    // An EventSource hides the status. The same question as a request tells why, and leads to the login.
    const failure = await get('state').catch((failure) => failure);
    if (failure.status >= 400 && !this.connected) this.tell(false, failure.message);
  }

  tell(connected, message) {
    this.connected = connected;
    banner(connected ? null : message ?? say('lost_connection'));
  }

  takeState(state) {
    Object.assign(this, { state, offset: state.now - performance.now(), wait: dimAfter });
    this.cameras = new Map(state.cameras.map((camera) => [camera.camera, camera]));
    // The windows of the last minute follow again after this.
    for (const map of [this.data, this.windows, this.poses]) map.clear();
    for (const { camera, time } of state.cameras) {
      if (time) this.data.set(camera, { time, arrival: performance.now() - Math.max(0, state.now - time) });
    }
    this.tell(true);
    this.on.state?.(state);
    this.tellAlarms();
  }

  // A stream of one camera knows nothing of the others. The screen for the wall has nothing to press.
  tellAlarms() {
    if (!this.camera) showAlarms([...this.cameras.values()], this.view || this.state.role);
  }

  takeCamera(camera) {
    const before = this.cameras.get(camera.camera);
    this.cameras.set(camera.camera, camera);
    this.moved(camera.camera, camera.time);
    if (before) this.compare(before, camera);
    this.tellAlarms();
    this.on.camera?.(camera);
  }

  takePose(pose) {
    this.poses.set(pose.camera, pose);
    this.moved(pose.camera, pose.time);
    this.on.pose?.(pose);
  }

  takeWindow(window) {
    const list = this.windows.get(window.camera) ?? [];
    list.push(window);
    while (list[0].end < window.end - keptWindows) list.shift();
    this.windows.set(window.camera, list);
  }

  // Two kinds of events may carry times in either order. Only a leap back means that the node's clock was set.
  moved(id, time) {
    const known = this.data.get(id)?.time;
    if (!time || (known && time <= known && time > known - 5000)) return;
    this.data.set(id, { time, arrival: performance.now() });
  }

  // Tells what happened between two states of a camera: a repetition, a finished set.
  compare(before, after) {
    for (const old of before.persons ?? []) {
      const person = after.persons?.find((one) => one.track === old.track);
      const same = person?.set && old.set && person.set.number === old.set.number;
      if (same && person.set.reps > old.set.reps) this.on.rep?.(after, person);
      if (!old.set || same) continue;
      this.on.setEnd?.(after, old, person?.sets?.find((set) => set.number === old.set.number) ?? old.set);
    }
  }
}

// The person whose figures stand for the camera.
export function mainPerson(camera) {
  return camera.persons?.find((person) => person.prominent) ?? camera.persons?.[0];
}
