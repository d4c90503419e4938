// Its own, so that vitest does not take that of the repository around it.
export default {}
