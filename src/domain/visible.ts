// Text from records, files or networks as people see it: none of its characters moves a cursor, begins a line or turns text around.

/** Controls, formats (also those that change the direction of text), and separators of lines and paragraphs. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu

const escaped = (text: string): string =>
  Array.from({ length: text.length }, (_, at) => `\\u${text.charCodeAt(at).toString(16).padStart(4, '0')}`).join('')

/**
 * One line of text for a terminal.
 *
 * @example
 * visible('Rex\nundamaged') // => 'Rex\u{fffd}undamaged'
 */
export const visible = (text: string): string => text.replaceAll(INVISIBLE, '\u{fffd}')

/** The same JSON, whose strings have escapes in the place of such characters; white space between values stays. */
export const visibleJson = (json: string): string =>
  json.replaceAll(INVISIBLE, (character) => (/[\t\n\r]/.test(character) ? character : escaped(character)))
