// The panel of events: follows the feed with the key from Authorize, until a click stops it.

const RETRY_MS = 3_000
const [button, state, log] = document.querySelectorAll('#events :is(button, [role=status], [role=log])')

const show = (block) => {
  const lines = block.split('\n')
  const field = (name) => lines.find((line) => line.startsWith(name))?.slice(name.length)
  const event = field('data: ')
  if (event !== undefined) {
    log.prepend(Object.assign(document.createElement('pre'), { textContent: indented(event) }))
    if (log.children.length > 100) log.lastChild.remove()
  }
  state.textContent = 'Waiting for the next event'
  return field('id: ')
}

/** Yields the position of each block shown. Throws a text if another attempt would be in vain. */
async function* streamed(position, signal) {
  const key = ui.authSelectors.authorized().getIn(['apiKey', 'value'])
  if (!key) throw 'Authorize first, with a key that has the scope events:read'
  const headers = { Accept: 'text/event-stream', Authorization: `Bearer ${key}` }
  if (position) headers['Last-Event-ID'] = position
  const response = await fetch(new URL('v1/events', document.baseURI), { headers, signal })
  if (response.status >= 400 && response.status < 500) throw (await response.json()).message
  if (!response.ok) return
  if (!/event-stream/.test(response.headers.get('Content-Type'))) throw 'This service has no streams'
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
  let rest = ''
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    const blocks = (rest + read.value).split('\n\n')
    rest = blocks.pop()
    for (const block of blocks) yield show(block)
  }
}

/** Reconnects after the last event: a stream ends by itself after ten minutes. */
const followAll = async (signal) => {
  let position
  while (!signal.aborted) {
    try {
      for await (const next of streamed(position, signal)) position = next ?? position
    } catch (problem) {
      if (signal.aborted || typeof problem === 'string') return signal.aborted ? 'Stopped' : problem
    }
    state.textContent = 'No connection; trying again'
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
  }
}

let following
button.addEventListener('click', async () => {
  if (following) return following.abort()
  following = new AbortController()
  button.textContent = 'Stop'
  state.textContent = 'Connecting'
  state.textContent = (await followAll(following.signal)) ?? 'Stopped'
  button.textContent = 'Start'
  following = undefined
})
