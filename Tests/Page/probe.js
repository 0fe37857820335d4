// Runs in every page before the page's own scripts. It listens to the same events and compares what is drawn with them.
// Its table of joints and bones is its own, made from Sources/Node/Poses/Joint.swift.
(() => {
  const names = ['nose', 'neck', 'right_shoulder', 'right_elbow', 'right_wrist', 'left_shoulder', 'left_elbow',
    'left_wrist', 'right_hip', 'right_knee', 'right_ankle', 'left_hip', 'left_knee', 'left_ankle', 'right_eye',
    'left_eye', 'right_ear', 'left_ear'];
  // These must be drawn, and the limbs in the colour of their side. Eyes and ears are in the head; the neck lies
  // between the shoulders.
  const required = names.filter((name) => !['neck', 'left_eye', 'right_eye', 'left_ear', 'right_ear'].includes(name));
  const limbs = ['left', 'right'].flatMap((side) => [['shoulder', 'elbow'], ['elbow', 'wrist'], ['hip', 'knee'],
    ['knee', 'ankle']].map((ends) => [...ends.map((joint) => `${side}_${joint}`), side]));
  // These may be drawn as well.
  const trunk = [['left_shoulder', 'right_shoulder'], ['left_hip', 'right_hip'], ['left_shoulder', 'left_hip'],
    ['right_shoulder', 'right_hip'], ['neck', 'left_shoulder'], ['neck', 'right_shoulder'], ['neck', 'nose'],
    ['neck', 'left_hip'], ['neck', 'right_hip'], ['nose', 'left_eye'], ['nose', 'right_eye'], ['left_eye', 'left_ear'],
    ['right_eye', 'right_ear']];

  const probe = window.probe = { poses: {}, events: {}, faults: [] };
  addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sourceFile, lineNumber }) =>
    probe.faults.push(`${violatedDirective}: ${blockedURI} in ${sourceFile}:${lineNumber}`));
  addEventListener('error', (event) => probe.faults.push(String(event.message)));
  addEventListener('unhandledrejection', (event) => probe.faults.push(String(event.reason)));

  window.EventSource = class extends window.EventSource {
    constructor(...given) {
      super(...given);
      for (const name of ['state', 'camera', 'pose', 'window', 'lost']) {
        this.addEventListener(name, (event) => {
          probe.events[name] = (probe.events[name] ?? 0) + 1;
          if (name !== 'pose') return;
          const pose = JSON.parse(event.data);
          probe.poses[pose.camera] = pose;
        });
      }
    }
  };

  // The pixels of a copy, because reading the page's own canvas would slow it down and be noted in the console.
  const copy = document.createElement('canvas');
  function pixels(canvas) {
    const { width, height } = Object.assign(copy, { width: canvas.width, height: canvas.height });
    if (!width || !height) return { width, height, data: [], light: () => 0 };
    const context = copy.getContext('2d', { willReadFrequently: true });
    context.drawImage(canvas, 0, 0);
    const { data } = context.getImageData(0, 0, width, height);
    // 0…255 on the black behind the canvas.
    const light = (n) => data[n + 3] / 255 * Math.max(data[n], data[n + 1], data[n + 2]);
    return { width, height, data, light };
  }
  const isLit = (light) => light > 60;

  // The brightest lit pixel around a point, as its place in the data; null where all is dark.
  function brightest({ width, height, light }, [px, py], reach) {
    let best = null;
    for (let y = Math.max(0, Math.floor(py - reach)); y <= Math.min(height - 1, py + reach); y += 1) {
      for (let x = Math.max(0, Math.floor(px - reach)); x <= Math.min(width - 1, px + reach); x += 1) {
        const n = 4 * (y * width + x);
        if (Math.hypot(x - px, y - py) > reach || !isLit(light(n))) continue;
        if (best === null || light(n) > light(best)) best = n;
      }
    }
    return best;
  }

  function distance([x, y], [[ax, ay], [bx, by]]) {
    const [dx, dy] = [bx - ax, by - ay];
    const along = Math.max(0, Math.min(1, ((x - ax) * dx + (y - ay) * dy) / (dx * dx + dy * dy || 1)));
    return Math.hypot(x - ax - along * dx, y - ay - along * dy);
  }

  // Where the sure joints of each person must be on a canvas that shows the whole picture in its middle.
  function placed(pose, { width, height }) {
    const scale = Math.min(width / pose.width, height / pose.height);
    const [left, top] = [(width - pose.width * scale) / 2, (height - pose.height * scale) / 2];
    const place = ([x, y, sure]) => (sure < 50 ? null
      : [left + x / 1000 * pose.width * scale, top + y / 1000 * pose.height * scale]);
    return pose.people.map(({ joints }) =>
      Object.fromEntries(names.map((name, n) => [name, place(joints.slice(3 * n, 3 * n + 3))])));
  }

  // Everything that may be lit of one person, each with the distance up to which it may be.
  function lines(at, far) {
    const list = [...limbs, ...trunk, ...names.map((name) => [name, name])].filter(([from, to]) => at[from] && at[to])
      .map(([from, to]) => ({ at, from, to, ends: [at[from], at[to]], reach: far }));
    if (!at.nose || !at.neck) return list;
    const head = Math.hypot(at.nose[0] - at.neck[0], at.nose[1] - at.neck[1]);
    return [...list, { at, from: 'head', to: 'head', ends: [at.nose, at.nose], reach: 0.6 * head + far }];
  }

  // The colours of people beside others, by the number of their track.
  const own = ['f5b14c', '5cc4f2', 'ff8069', 'b79cff', '55d6a5', 'f58fc2', 'e8d75a', '7d9bff']
    .map((hex) => [0, 2, 4].map((n) => parseInt(hex.slice(n, n + 2), 16)));

  // The number of the colour that a pixel is most like. Whoever is not in front is drawn darker.
  function nearestOwn(rgb) {
    const pure = (one) => one.map((value) => value / Math.max(...one));
    const apart = own.map((one) => Math.hypot(...pure(one).map((value, n) => value - pure(rgb)[n])));
    return apart.indexOf(Math.min(...apart));
  }

  // A limb in its middle: whether it is there, and whether its colour is that of its side, or of the person where there are
  // several. Where something else crosses, nothing is said about the colour.
  function checkLimb(picture, found, at, [from, to, side], near, allowed, track) {
    const middle = [(at[from][0] + at[to][0]) / 2, (at[from][1] + at[to][1]) / 2];
    const n = brightest(picture, middle, near);
    found.limbs += 1;
    if (n === null) found.missing.push(`${from}–${to}`);
    const crosses = (line) => !(line.at === at && line.from === from && line.to === to)
      && distance(middle, line.ends) < line.reach;
    if (n === null || allowed.some(crosses)) return;
    // Left is warm, right is cold.
    const isRight = found.people > 1 ? nearestOwn([...picture.data.slice(n, n + 3)]) === track % 8
      : (picture.data[n] > picture.data[n + 2]) === (side === 'left');
    if (isRight) found.coloursRight += 1;
    else found.coloursWrong.push(`${from}–${to}`);
  }

  // A joint or limb is drawn if a lit pixel is within one per cent of the height. A lit pixel that is further than two
  // and a half per cent from every bone and head is stray.
  function compare(canvas, pose) {
    const picture = pixels(canvas);
    const { width, height, light } = picture;
    const scale = Math.min(width / pose.width, height / pose.height);
    const [near, far] = [Math.max(3, 0.01 * pose.height * scale), Math.max(6, 0.025 * pose.height * scale)];
    const people = placed(pose, picture);
    const allowed = people.flatMap((at) => lines(at, far));
    const found = { pose, time: pose.time, camera: pose.camera, width, height, people: people.length, joints: 0,
      limbs: 0, unsure: 0, missing: [], coloursRight: 0, coloursWrong: [], stray: 0, strayAt: null };
    const isInside = ([x, y]) => x >= near && y >= near && x < width - near && y < height - near;
    for (const [index, at] of people.entries()) {
      found.unsure += names.filter((name) => !at[name]).length;
      const shown = (name) => at[name] && isInside(at[name]);
      for (const name of required.filter(shown)) {
        found.joints += 1;
        if (brightest(picture, at[name], near) === null) found.missing.push(name);
      }
      for (const limb of limbs.filter(([from, to]) => shown(from) && shown(to))) {
        checkLimb(picture, found, at, limb, near, allowed, pose.people[index].track);
      }
    }
    for (let n = 0; n < 4 * width * height; n += 4) {
      if (!isLit(light(n))) continue;
      const place = [n / 4 % width, Math.floor(n / 4 / width)];
      if (allowed.some((line) => distance(place, line.ends) <= line.reach)) continue;
      found.stray += 1;
      found.strayAt ??= place;
    }
    return found;
  }

  // Waits for a frame in which the page has drawn the newest pose, and compares. The page draws within the frame that
  // follows an event; the message comes right after that frame, before any other event.
  probe.sample = (canvas, camera) => new Promise((resolve) => requestAnimationFrame(() => {
    const pose = probe.poses[camera];
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => resolve(pose && canvas ? compare(canvas, pose) : null);
    port2.postMessage(null);
  }));

  // The share of an area's outline that is lit. `size` is that of the picture; below 1, `shrink` draws the outline
  // together around its middle.
  probe.outlined = (canvas, corners, size, shrink = 1) => {
    const picture = pixels(canvas);
    const scale = Math.min(picture.width / size.width, picture.height / size.height);
    const [left, top] = ['width', 'height'].map((side) => (picture[side] - size[side] * scale) / 2);
    const middle = [0, 1].map((axis) => corners.reduce((sum, one) => sum + one[axis], 0) / corners.length);
    const at = corners.map((corner) => corner.map((share, axis) => middle[axis] + shrink * (share - middle[axis])))
      .map(([x, y]) => [left + x * size.width * scale, top + y * size.height * scale]);
    let [lit, all] = [0, 0];
    at.forEach(([x, y], n) => {
      const [nextX, nextY] = at[(n + 1) % at.length];
      for (let step = 0; step < 50; step += 1) {
        all += 1;
        lit += brightest(picture, [x + (nextX - x) * step / 50, y + (nextY - y) * step / 50], 2) !== null;
      }
    });
    return lit / all;
  };

  // The number of lit pixels of a canvas.
  probe.lit = (canvas) => {
    const { data, light } = pixels(canvas);
    let lit = 0;
    for (let n = 0; n < data.length; n += 4) lit += isLit(light(n));
    return lit;
  };
})();
