package io.weir.simulation.oracle;

/**
 * A promise that wasn't kept.
 *
 * <p>Immutable.
 *
 * @param promise which one
 * @param what how
 */
public record Violation(String promise, String what) {}
