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

const exactIntegers = () => ({
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

/** Request samples (`x-codeSamples`), which Swagger UI does not show by itself, as part of each description. */
const withSamples = (spec) => {
  const shown = ({ lang, label, source }) => `\n\n**${label}**\n\`\`\`${lang.toLowerCase()}\n${source}\`\`\``
  const described = (operation) => ({
    ...operation,
    description: [operation.description, ...(operation['x-codeSamples'] ?? []).map(shown)].join(''),
  })
  const item = (members) =>
    Object.fromEntries(
      Object.entries(members).map(([name, member]) => [name, member.operationId ? described(member) : member]),
    )
  return { ...spec, paths: Object.fromEntries(Object.entries(spec.paths).map(([path, one]) => [path, item(one)])) }
}

const adaptedSpec = () => ({
  statePlugins: {
    spec: { wrapActions: { updateJsonSpec: (original) => (spec) => original(withSamples(nearbyServer(spec))) } },
  },
})

SwaggerUIBundle({
  url: 'openapi.json',
  dom_id: '#swagger-ui',
  deepLinking: true,
  displayRequestDuration: true,
  // no validator of another host
  validatorUrl: null,
  plugins: [exactIntegers, adaptedSpec],
})
