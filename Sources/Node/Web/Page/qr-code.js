// A QR code as a picture, drawn by the library of Debian's package node-qrcode-generator.
import { el } from './common.js';

const svg = 'http://www.w3.org/2000/svg';
// Readers need a white edge of four modules (ISO/IEC 18004, section 6.3.8).
const quiet = 4;
let loading;

const library = () => (loading ??= new Promise((done, failed) => {
  document.head.append(el('script', { src: '/assets/qrcode.js', onload: () => done(globalThis.qrcode), onerror: failed }));
}));

function shape(tag, attributes) {
  const element = document.createElementNS(svg, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  return element;
}

// The smallest code that holds the words, with a quarter of it to spare for damage.
export async function qrCode(words, label) {
  const code = (await library())(0, 'M');
  code.addData(words);
  code.make();
  const count = code.getModuleCount();
  const modules = Array.from({ length: count }, (_, row) => Array.from({ length: count }, (_, column) =>
    code.isDark(row, column) ? `M${column + quiet} ${row + quiet}h1v1h-1z` : '').join('')).join('');
  const size = count + 2 * quiet;
  const picture = shape('svg', { viewBox: `0 0 ${size} ${size}`, class: 'qr', role: 'img', 'aria-label': label,
    'shape-rendering': 'crispEdges' });
  picture.append(shape('rect', { width: size, height: size, fill: '#fff' }), shape('path', { d: modules, fill: '#000' }));
  return picture;
}
