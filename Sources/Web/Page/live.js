// The event stream: keeps the newest state of every camera, its age, and the connection.
import { get } from './api.js';

const minute = 60_000;

export class Live {
  // `on` may have: state, camera, pose, lost, rep, setEnd, connection(connected, message).
  constructor(on, camera = '') {
    this.on = on;
    this.camera = camera;
    this.cameras = new Map();
    this.poses = new Map();
    this.windows = new Map();
    this.data = new Map();
    this.clock = null;
    this.connected = false;
    this.wait = 2000;
    document.addEventListener('visibilitychange', () => (document.hidden ? this.close() : this.open()));
    addEventListener('pagehide', () => this.close());
    addEventListener('pageshow', () => document.hidden || this.source || this.open());
    // A connection that died without a word shows no error for minutes. Frames bring an event every second.
    setInterval(() => this.source && performance.now() - this.heard > 15_000 && this.open(), 3000);
    if (!document.hidden) this.open();
  }

  // The node's time now, by the browser's monotonic clock.
  now() { return this.clock === null ? null : performance.now() + this.clock; }

  // Milliseconds since the camera's data last moved on; infinite if it never did.
  age(id) { return performance.now() - (this.data.get(id)?.arrival ?? -Infinity); }

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
    const source = new EventSource('/api/v1/live' + (this.camera ? '?camera=' + encodeURIComponent(this.camera) : ''));
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
    const source = this.source;
    this.tell(false);
    if (source.readyState !== EventSource.CLOSED) return;
    this.close();
    this.again = setTimeout(() => this.open(), this.wait);
    this.wait = Math.min(this.wait * 2, 15_000);
    // An EventSource hides the status. The same question as a request tells why, and leads to the login.
    const failure = await get('state').catch((failure) => failure);
    if (failure.status >= 400 && !this.connected) this.tell(false, failure.message);
  }

  tell(connected, message) {
    this.connected = connected;
    this.on.connection?.(connected, message);
  }

  takeState(state) {
    this.clock = state.now - performance.now();
    this.wait = 2000;
    this.state = state;
    this.cameras = new Map(state.cameras.map((camera) => [camera.camera, camera]));
    this.data.clear();
    // The last minute follows again after this.
    this.windows.clear();
    this.poses.clear();
    for (const { camera, time } of state.cameras) {
      if (time) this.data.set(camera, { time, arrival: performance.now() - Math.max(0, state.now - time) });
    }
    this.tell(true);
    this.on.state?.(state);
  }

  takeCamera(camera) {
    const before = this.cameras.get(camera.camera);
    this.cameras.set(camera.camera, camera);
    this.moved(camera.camera, camera.time);
    if (before) this.compare(before, camera);
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
    while (list.length && list[0].end < window.end - 1.2 * minute) list.shift();
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
      if (old.set && !same) {
        const finished = person?.sets?.find((set) => set.number === old.set.number);
        this.on.setEnd?.(after, old, finished ?? old.set);
      }
    }
  }
}

// The person whose figures stand for the camera.
export function mainPerson(camera) {
  return camera.persons?.find((person) => person.prominent) ?? camera.persons?.[0];
}
