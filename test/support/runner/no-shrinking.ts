// Disables shrinking, for runs that only need to know whether a property fails.
import fc from 'fast-check'

fc.configureGlobal({ endOnFailure: true })
