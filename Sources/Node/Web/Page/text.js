// The words of the page, in the language of the node or of this browser. `Words/<language>.json` holds them all.
const answer = await fetch('/assets/words.json', { cache: 'no-cache' });
export const words = await answer.json();
document.documentElement.lang = words.language;

// What `say` finds. A page adds the part that is its own.
export const text = { ...words.page, locale: words.locale, labels: words.labels };
export const use = (...parts) => Object.assign(text, ...parts.map((part) => words[part]));

// The name of a zone: the gym's own, or the zone's.
export const zoneName = (zone) => words.zones[zone] ?? zone;
