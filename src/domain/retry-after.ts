// The wait in `Retry-After` (RFC 9110 §10.2.3), for whoever gets a response: seconds, or a date in one of its three forms (§5.6.7).

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
const TIME = '(?<hour>[01]\\d|2[0-3]):(?<minute>[0-5]\\d):(?<second>[0-5]\\d|60)'
const MONTH = `(?<month>${MONTHS.join('|')})`

const FORMS = [
  // Sun, 06 Nov 1994 08:49:37 GMT
  `(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), (?<day>\\d\\d) ${MONTH} (?<year>\\d{4}) ${TIME} GMT`,
  // Sunday, 06-Nov-94 08:49:37 GMT
  `(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day, (?<day>\\d\\d)-${MONTH}-(?<year>\\d\\d) ${TIME} GMT`,
  // Sun Nov  6 08:49:37 1994
  `(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) ${MONTH} (?<day>[ \\d]\\d) ${TIME} (?<year>\\d{4})`,
].map((form) => new RegExp(`^${form}$`))

/** Two digits are the last ones of a year at most 50 years ahead. */
const fullYear = (digits: string, now: number): number => {
  if (digits.length === 4) return Number(digits)
  const present = new Date(now).getUTCFullYear()
  const year = present - (present % 100) + Number(digits)
  return year > present + 50 ? year - 100 : year
}

const dateIn = (text: string, now: number): number | undefined => {
  const parts = FORMS.map((form) => form.exec(text)?.groups).find((groups) => groups !== undefined)
  if (parts === undefined) return undefined
  const { day = '', month = '', year = '', hour, minute, second } = parts
  const date = new Date(0)
  // unlike Date.UTC, it takes the year 50 for the year 50
  date.setUTCFullYear(fullYear(year, now), MONTHS.indexOf(month), Number(day))
  if (date.getUTCDate() !== Number(day)) return undefined
  return date.setUTCHours(Number(hour), Number(minute), Number(second))
}

/** In milliseconds, 0 for a date that has passed; undefined: absent, or in another form. */
export const retryAfterMs = (text: string | undefined, now: number): number | undefined => {
  if (text === undefined) return undefined
  if (/^\d+$/.test(text)) return Number(text) * 1_000
  const date = dateIn(text, now)
  return date === undefined ? undefined : Math.max(0, date - now)
}
