// Keeps vitest from using the configuration of the repository around it.
export default {}
