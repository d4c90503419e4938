/** A setting of the right form that its driver or the machine does not take; the message is its line. */
export class BadConfiguration extends Error {}
