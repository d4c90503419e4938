// Switches shrinking off, for runs that need to know only whether a property fails.
import fc from 'fast-check'

fc.configureGlobal({ endOnFailure: true })
