// The page at /docs/errors, to which the `Link` of each error leads: every code with its meaning and its remedy.
import { STATUS_CODES } from 'node:http'
import { ERROR_CODES, ERROR_HELP } from '../error-codes.js'

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

const escaped = (text: string): string => text.replace(/[&<>"]/g, (character) => ESCAPES[character] ?? '')

/** Turns text between backticks into code. */
const markedUp = (text: string): string => escaped(text).replace(/`([^`]+)`/g, '<code>$1</code>')

const sections = ERROR_CODES.map((code) => {
  const { status, meaning, remedy } = ERROR_HELP[code]
  return `      <section id="${code}">
        <h2><a href="#${code}">${code}</a> <small>${status} ${STATUS_CODES[status]}</small></h2>
        <p>${markedUp(meaning)}</p>
        <p>${markedUp(remedy)}</p>
      </section>`
})

/** Its links are relative, so that it works behind any path prefix; it needs no script. */
export const ERROR_PAGE = `<!DOCTYPE html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Animal Store: errors</title>
    <link rel="stylesheet" href="errors.css">
    <link rel="icon" type="image/png" href="favicon-32x32.png">
  </head>
  <body>
    <main>
      <h1>Errors</h1>
      <p>
        Every error has the JSON body <code>{"code", "message", "status"}</code>. Decide by <code>code</code>; treat a code that you
        do not know by its status. A refused request stores nothing. <a href="../docs">The interface</a>
      </p>
${sections.join('\n')}
    </main>
  </body>
</html>
`
