// Starts Swagger UI in the browser: on this host alone, and with every integer exact.

const TOKEN = /"(?:[^"\\]|\\.)*"|[[\]{},:]|[^\s[\]{},:"]+/g

/** JSON text indented anew, its tokens untouched: a pass through JSON.parse would round an int64. */
const indented = (json) => {
  let depth = 0
  let previous = ''
  const line = () => `\n${'  '.repeat(depth)}`
  const written = (token) => {
    if (token === ',') return token
    if (token === ':') return ': '
    if (token === ']' || token === '}') {
      depth -= 1
      return previous === '[' || previous === '{' ? token : line() + token
    }
    const lead = previous !== '' && '[{,'.includes(previous) ? line() : ''
    if (token === '[' || token === '{') depth += 1
    return lead + token
  }
  return (json.match(TOKEN) ?? [])
    .map((token) => {
      const text = written(token)
      previous = token
      return text
    })
    .join('')
}

const isJson = (text) => {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

const exactIntegers = ({ React }) => ({
  // a number field would round; without this component, the console has a warning
  components: {
    JsonSchema_integer_int64: (props) => React.createElement(props.getComponent('JsonSchema_string'), props),
  },
  wrapComponents: {
    responseBody:
      (ResponseBody, { React }) =>
      (props) => {
        const { content, contentType, getComponent } = props
        if (!/json/i.test(contentType) || typeof content !== 'string' || !isJson(content))
          return React.createElement(ResponseBody, props)
        const code = React.createElement(
          getComponent('HighlightCode', true),
          { language: 'json', canCopy: true, downloadable: true, fileName: 'response.json' },
          indented(content),
        )
        return React.createElement('div', null, React.createElement('h5', null, 'Response body'), code)
      },
  },
})

/** The server beside this page, so that a call works behind any path prefix and reaches no other host. */
const nearbyServer = (spec) => ({
  ...spec,
  servers: spec.servers?.map((server) => ({ ...server, url: new URL('v1', document.baseURI).href })),
})

/** The prose below its first paragraph, folded: the operations come first. */
const folded = (spec) => {
  const { description } = spec.info
  const end = description.indexOf('\n\n')
  const rest = `<details><summary>Conventions: retries, limits, paging, errors, changes</summary>${description.slice(end)}\n\n</details>`
  return end === -1 ? spec : { ...spec, info: { ...spec.info, description: `${description.slice(0, end)}\n\n${rest}` } }
}

/** Swagger UI shows the parameters of a path after those of its operation; what the path itself needs comes first here. */
const inOrder = (operation, shared = []) => ({
  ...operation,
  parameters: [
    ...shared.filter((one) => one.in === 'path'),
    ...(operation.parameters ?? []),
    ...shared.filter((one) => one.in !== 'path'),
  ],
})

/** The responses without endless ones: Swagger UI shows a response once it ends, and cannot cancel one. The panel shows these. */
const ending = (responses) =>
  Object.fromEntries(
    Object.entries(responses).map(([status, { content, ...response }]) => {
      const { 'text/event-stream': _, ...others } = content ?? {}
      return [status, content ? { ...response, content: others } : response]
    }),
  )

/**
 * Each operation as this page shows it: its parameters, its responses, and its samples (`x-codeSamples`), which Swagger UI does
 * not show by itself, as part of the description. The document at openapi.json stays as it is.
 */
const adapted = (spec) => {
  const shown = ({ lang, label, source }) => `\n\n**${label}**\n\`\`\`${lang.toLowerCase()}\n${source}\`\`\``
  const described = (operation) => ({
    ...operation,
    responses: ending(operation.responses),
    description: [operation.description, ...(operation['x-codeSamples'] ?? []).map(shown)].join(''),
  })
  const item = ({ parameters, ...members }) =>
    Object.fromEntries(
      Object.entries(members).map(([name, member]) => [
        name,
        member.operationId ? described(inOrder(member, parameters)) : member,
      ]),
    )
  return { ...spec, paths: Object.fromEntries(Object.entries(spec.paths).map(([path, one]) => [path, item(one)])) }
}

const adaptedSpec = () => ({
  statePlugins: {
    spec: { wrapActions: { updateJsonSpec: (original) => (spec) => original(adapted(folded(nearbyServer(spec)))) } },
  },
})

const dark = matchMedia('(prefers-color-scheme: dark)')
const follow = () => document.documentElement.classList.toggle('dark-mode', dark.matches)
dark.addEventListener('change', follow)
follow()

// events.js asks it for the key
window.ui = SwaggerUIBundle({
  url: 'openapi.json',
  dom_id: '#swagger-ui',
  deepLinking: true,
  displayRequestDuration: true,
  // the default has numbers of too little contrast
  syntaxHighlight: { theme: 'tomorrow-night' },
  // no validator of another host
  validatorUrl: null,
  plugins: [exactIntegers, adaptedSpec],
})
