package io.weir;

/**
 * A policy at one place where it applies.
 *
 * <p>Immutable.
 *
 * @param endpoint names the place for people, as in {@link Weir#table()}: class and method, or the
 *     URL pattern
 * @param policy the policy in force there
 */
public record EndpointPolicy(String endpoint, Policy policy) {}
