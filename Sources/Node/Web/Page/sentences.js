// Translates the node's English sentences, as `SentenceTable.swift` does it for messages. An entry is a sentence with
// {placeholders}; what stands in the place of one is translated as well. A name of one letter takes a number alone, and
// `label` takes exercises.
import { words } from './text.js';

const bare = (sentence) => sentence.charAt(0).toLowerCase() + sentence.slice(1).replace(/\.$/, '');
const [exact, counts] = [new Map(), new Map()];
const patterns = [];
for (const [sentence, translation] of Object.entries(words.sentences)) {
  const key = bare(sentence);
  const names = [...key.matchAll(/\{(\w+)\}/g)].map((match) => match[1]);
  if (!names.length) {
    exact.set(key, translation);
    continue;
  }
  const pieces = key.split(/\{\w+\}/);
  if (pieces.length === 2 && !pieces[0] && /^ \p{L}+$/u.test(pieces[1])) counts.set(pieces[1].trim(), translation);
  patterns.push({ pieces, names, translation, weight: pieces.join('').length });
}
patterns.sort((a, b) => b.weight - a.weight || (a.translation < b.translation ? 1 : -1));

// With the capital letter and the full stop of the original.
function dressed(translation, original) {
  const first = original.charAt(0);
  const start = first !== first.toLowerCase() ? translation.charAt(0).toUpperCase() + translation.slice(1) : translation;
  return start.replace(/\.$/, '') + (original.endsWith('.') ? '.' : '');
}

// What stands between the pieces. Each value takes as little as it can, the last one the rest, and none is empty.
function valuesOf(pieces, sentence) {
  const [first, last] = [pieces[0], pieces.at(-1)];
  if (!sentence.startsWith(first) || !sentence.endsWith(last)
    || sentence.length < first.length + last.length + pieces.length - 1) return null;
  let rest = sentence.slice(first.length, sentence.length - last.length);
  const values = [];
  for (const piece of pieces.slice(1, -1)) {
    const at = rest.indexOf(piece, 1);
    if (at < 0) return null;
    values.push(rest.slice(0, at));
    rest = rest.slice(at + piece.length);
  }
  return rest ? [...values, rest] : null;
}

const decimal = (1.5).toLocaleString(words.locale).charAt(1);
// Versions and addresses have several dots.
const numbers = (value) => value.replace(/\d+(?:\.\d+)+/g, (one) => (one.split('.').length === 2 ? one.replace('.', decimal) : one));
// A number with its unit, and what may stand around it.
const quantity = /^[^\p{L}]*(?:°C|s|min|ms|h|kg|MB)?[^\p{L}]*$/u;

// A known word, a word with an amount, or a count such as `3 clips`; `null` for anything else.
function itemOf(value) {
  const known = exact.get(bare(value));
  if (known !== undefined) return known;
  const [, name, amount] = value.match(/^(\p{L}[^\d]*) (\d.*)$/u) ?? [];
  if (name && exact.has(bare(name))) return exact.get(bare(name)) + ' ' + numbers(amount);
  const [, n, noun] = value.match(/^(\d+) (\p{L}+)$/u) ?? [];
  return counts.get(noun)?.replace('{n}', n) ?? null;
}

// A list whose items are all known. An item may have an `and` of its own.
function listOf(value) {
  const item = itemOf(value);
  if (item !== null) return item;
  for (const word of [', ', ' and ', ' or ']) {
    const between = exact.get(word.trim());
    for (let at = value.indexOf(word); at >= 0; at = value.indexOf(word, at + 1)) {
      const first = itemOf(value.slice(0, at));
      const rest = first === null ? null : listOf(value.slice(at + word.length));
      if (rest !== null) return first + (between === undefined ? word : ` ${between} `) + rest;
    }
  }
  return null;
}

const valueOf = (value) => (quantity.test(value) ? numbers(value) : listOf(value) ?? found(value) ?? value);
// What a placeholder `label` or `labels` holds are the names of exercises.
const labelsOf = (value) => value.replace(/[a-z0-9_]+/g, (word) => words.labels[word] ?? exact.get(word) ?? word);

function found(sentence) {
  const key = bare(sentence);
  if (exact.has(key)) return dressed(exact.get(key), sentence);
  for (const { pieces, names, translation } of patterns) {
    const values = valuesOf(pieces, key);
    // One letter stands for a number.
    if (!values || names.some((name, n) => name.length === 1 && !quantity.test(values[n]))) continue;
    return dressed(names.reduce((all, name, n) => all.replaceAll(`{${name}}`, () => (name.startsWith('label') ? labelsOf : valueOf)(values[n])), translation), sentence);
  }
  return null;
}

// Sentences and clauses, one after the other.
function parts(sentence) {
  for (const mark of ['\n', '; ', '. ', ': ', ', ']) {
    const pieces = sentence.split(mark);
    const known = pieces.map(found);
    if (pieces.length < 2 || known.every((one) => one === null)) continue;
    return pieces.map((piece, n) => known[n] ?? parts(piece) ?? piece).join(mark);
  }
  return null;
}

// The sentence in the page's language; as it is where the language does not have it.
export function translated(sentence) {
  if (!sentence || (!exact.size && !patterns.length)) return sentence;
  return found(sentence) ?? parts(sentence) ?? sentence;
}
