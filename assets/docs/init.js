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

/** Servers as seen from this page, so that a call works behind any path prefix. */
const nearbyServers = () => ({
  statePlugins: {
    spec: {
      wrapActions: {
        updateJsonSpec: (original) => (spec) =>
          original({
            ...spec,
            servers: spec.servers?.map((server) => ({
              ...server,
              url: new URL(`.${server.url}`, document.baseURI).href,
            })),
          }),
      },
    },
  },
})

SwaggerUIBundle({
  url: 'openapi.json',
  dom_id: '#swagger-ui',
  deepLinking: true,
  displayRequestDuration: true,
  // no validator of another host
  validatorUrl: null,
  plugins: [exactIntegers, nearbyServers],
})
