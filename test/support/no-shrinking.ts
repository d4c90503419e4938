// For runs that want to know that a property fails, and not why: the search for a smaller example is left out.
import fc from 'fast-check'

fc.configureGlobal({ endOnFailure: true })
