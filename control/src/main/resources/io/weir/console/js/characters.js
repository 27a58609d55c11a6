// Names characters that nobody sees, or that turn the text beside them. Pure functions.

const DIRECTIONS = {
  0x61C: 'Arabic letter mark', 0x200E: 'left-to-right mark', 0x200F: 'right-to-left mark', 0x202A: 'left-to-right embedding', 0x202B: 'right-to-left embedding',
  0x202C: 'end of a direction', 0x202D: 'left-to-right override', 0x202E: 'right-to-left override', 0x2066: 'left-to-right isolate', 0x2067: 'right-to-left isolate',
  0x2068: 'isolate', 0x2069: 'end of an isolate',
};

/** Controls, separators of lines, halves of pairs, and characters without a picture. */
const HIDDEN = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800\ufff9-\ufffb]/u;

/** Those that a text may have: joiners where a script or emoji need them, and ends of lines. */
const OF_TEXTS = /(?<=[\p{sc=Arabic}\p{sc=Syriac}\p{sc=Mongolian}\p{sc=Devanagari}\p{sc=Bengali}\p{sc=Gurmukhi}\p{sc=Gujarati}\p{sc=Oriya}\p{sc=Tamil}\p{sc=Telugu}\p{sc=Kannada}\p{sc=Malayalam}\p{sc=Sinhala}\p{sc=Khmer}\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f])[\u200c\u200d]|(?<=[\p{Extended_Pictographic}0-9#*])\ufe0f|[\n\r\t]/u;

/** In a name also blanks that aren't the usual one, or that a page doesn't show: at its ends, and several together. */
const BLANKS = /(?! )\p{Zs}|^ | $|(?<= ) /u;

const IN_NAMES = new RegExp(`(${HIDDEN.source}|${BLANKS.source})`, 'u');
const IN_TEXTS = new RegExp(`(?!${OF_TEXTS.source})(${HIDDEN.source})`, 'u');

function code(character) {
  return `U+${character.codePointAt(0).toString(16).toUpperCase().padStart(4, '0')}`;
}

/** Splits a text, or a name: [text, {code, title}, text, …]. */
export function pieces(text, isName = false) {
  const hidden = isName ? IN_NAMES : IN_TEXTS;
  if (!hidden.test(text)) return [text];
  return text.split(hidden).map((each, i) => i % 2 === 0 ? each
    : {code: code(each), title: DIRECTIONS[each.codePointAt(0)] ?? (/\p{Zs}/u.test(each) ? 'a blank' : 'an invisible character')}).filter(each => each !== '');
}

/** A text whose hidden characters are named in it: [U+202E]. */
export function named(text, isName = false) {
  return pieces(text, isName).map(each => typeof each === 'string' ? each : `[${each.code}]`).join('');
}

/** Text of a command in JSON, in which hidden characters are escaped. */
export function escaped(json) {
  return [...json].map(each => HIDDEN.test(each) ? [...Array(each.length).keys()].map(i => `\\u${each.charCodeAt(i).toString(16).padStart(4, '0')}`).join('') : each).join('');
}
