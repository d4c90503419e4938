/** A well-formed setting that its driver or the machine does not accept. The message describes it in one line. */
export class BadConfiguration extends Error {}
